// Snapshots: what a whole screen does to the state.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct ScreenStateSnapshotTests {
    @Test func startsWithoutAScreen() {
        let state = ScreenState()
        #expect(!state.hasScreen && state.revision == 0 && state.elements.isEmpty)
        #expect(state.mapper(for: Coordinates(unit: .pixels)) == nil)
    }

    @Test func keepsSerialsOnAHigherRevision() throws {
        var state = ScreenState()
        let first = try state.take(ScreenSnapshot(revision: 1, elements: [element("a", .text, "x"), element("b")]))
        #expect(first.isNewScreen && first.added.count == 2)
        let serial = state.element(id("a"))?.serial
        let change = try state.take(
            ScreenSnapshot(revision: 5, elements: [element("c"), element("a", .text, "y")]))
        #expect(!change.isNewScreen)
        #expect(state.element(id("a"))?.serial == serial)
        #expect(change.contentChanged == [serial].compactMap(\.self))
        #expect(change.added.count == 1 && change.removed.count == 1)
        #expect(state.element(id("a"))?.contentRevision == 5)
        #expect(state.elements.map(\.id) == [id("c"), id("a")])
    }

    @Test func keepsContentRevisionWhileTheTextStays() throws {
        var state = ScreenState()
        try state.take(ScreenSnapshot(revision: 3, elements: [element("a", .text, "x")]))
        let change = try state.take(
            ScreenSnapshot(revision: 4, elements: [element("a", .text, "x", at: box(0.5, 0.5, 0.1, 0.1))]))
        #expect(state.element(id("a"))?.contentRevision == 3)
        #expect(change.moved.count == 1 && change.contentChanged.isEmpty)
    }

    @Test(arguments: [7, 6, 0] as [Int64])
    func beginsANewScreenOnARevisionThatIsNotHigher(revision: Int64) throws {
        var state = ScreenState()
        try state.take(ScreenSnapshot(revision: 7, elements: [element("a")]))
        let serial = state.element(id("a"))?.serial
        let change = try state.take(ScreenSnapshot(revision: revision, elements: [element("a")]))
        #expect(change.isNewScreen && state.revision == revision)
        #expect(change.removed == [serial].compactMap(\.self))
        #expect(state.element(id("a"))?.serial != serial)
    }

    @Test func beginsANewScreenOnAnotherAddress() throws {
        var state = ScreenState()
        try state.take(ScreenSnapshot(revision: 1, url: "/a", elements: [element("a")]))
        #expect(try !state.take(ScreenSnapshot(revision: 2, url: "/a", elements: [element("a")])).isNewScreen)
        #expect(try !state.take(ScreenSnapshot(revision: 3, elements: [element("a")])).isNewScreen)
        #expect(try state.take(ScreenSnapshot(revision: 4, url: "/b", elements: [element("a")])).isNewScreen)
    }

    @Test func givesAnotherSerialWhenTheKindChanged() throws {
        var state = ScreenState()
        try state.take(ScreenSnapshot(revision: 1, elements: [element("a", .text)]))
        let serial = state.element(id("a"))?.serial
        try state.take(ScreenSnapshot(revision: 2, elements: [element("a", .button)]))
        #expect(state.element(id("a"))?.serial != serial)
    }

    @Test func refusesTheWholeMessageAndChangesNothing() throws {
        var state = try screen([element("a", .text, "x")])
        let before = state.elements
        let long = String(repeating: "z", count: 2_001)
        let faults: [(ScreenSnapshot, String)] = [
            (ScreenSnapshot(revision: 2, elements: [element("b"), element("c"), element("b")]), "elements[2].id"),
            (ScreenSnapshot(revision: -1, elements: []), "revision"),
            (ScreenSnapshot(revision: 1 << 53, elements: []), "revision"),
            (ScreenSnapshot(revision: 2, elements: [element("b", at: box(1_001.5, 0, 0, 0))]), "elements[0].box"),
            (ScreenSnapshot(revision: 2, elements: [element("b", .text, long)]), "elements[0].content"),
            (ScreenSnapshot(revision: 2, title: long, elements: []), "title"),
            (ScreenSnapshot(revision: 2, url: String(repeating: "z", count: 8_193), elements: []), "url"),
            (ScreenSnapshot(revision: 2, elements: [], focus: .point(point(0, -2_000))), "focus.point"),
            (ScreenSnapshot(revision: 2, elements: Array(repeating: element("b"), count: 2_001)), "elements"),
        ]
        for (snapshot, path) in faults {
            do throws(ScreenError) {
                try state.take(snapshot)
                Issue.record("accepted a fault at \(path)")
            } catch {
                guard case .invalid(path, _) = error else {
                    Issue.record("\(error) instead of a fault at \(path)")
                    continue
                }
            }
            #expect(state.revision == 1 && state.elements == before)
        }
    }

    @Test func acceptsAnAddressLongerThanATextMayBe() throws {
        var state = ScreenState()
        let address = String(repeating: "z", count: 8_192)
        try state.take(ScreenSnapshot(revision: 1, url: address, elements: []))
        #expect(state.url == address)
    }

    @Test func acceptsBoxesAThousandScreensAway() throws {
        let state = try screen([element("a", at: box(-1_000, 1_000, 0.5, 1)), element("b", at: box(0.2, 0.2, 0, 0))])
        #expect(state.element(id("a"))?.element.box == box(-1_000, 1_000, 0.5, 1))
        #expect(state.element(id("b"))?.element.box.isEmpty == true)
    }

    @Test func normalisesBottomLeftBoxes() throws {
        var state = ScreenState()
        _ = try state.apply(
            ScreenSnapshot(revision: 1, elements: [element("a", at: box(0.1, 0.8, 0.2, 0.1))]),
            coordinates: Coordinates(origin: .bottomLeft), limits: Limits())
        let stored = try #require(state.element(id("a"))?.element.box)
        #expect(abs(stored.y - 0.1) < 1e-12 && stored.height == 0.1)
    }

    @Test func needsASizeForPixels() throws {
        var state = ScreenState()
        let pixels = Coordinates(unit: .pixels)
        #expect(throws: ScreenError.invalid(path: "size", reason: "boxes in pixels need a size")) {
            try state.apply(ScreenSnapshot(revision: 1, elements: []), coordinates: pixels, limits: Limits())
        }
        let snapshot = ScreenSnapshot(
            revision: 1, size: ScreenSize(width: 200, height: 400),
            elements: [element("a", at: box(20, 40, 100, 200))], focus: .point(point(100, 100)))
        _ = try state.apply(snapshot, coordinates: pixels, limits: Limits())
        #expect(state.element(id("a"))?.element.box == box(0.1, 0.1, 0.5, 0.5))
        #expect(state.focus == .point(point(0.5, 0.25)))
        #expect(state.mapper(for: pixels) != nil)
    }

    @Test func ignoresAFocusOnAnElementThatIsNotThere() throws {
        #expect(try screen([element("a")], focus: .element(id("zz"))).focus == nil)
        #expect(try screen([element("a")], focus: .element(id("a"))).focus == .element(id("a")))
    }

    @Test func copiesAreIndependent() throws {
        var state = try screen([element("a", .text, "old")])
        let pinned = state
        try state.take(ScreenDelta(base: 1, revision: 2, update: [ElementUpdate(id: id("a"), content: "new")]))
        #expect(pinned.element(id("a"))?.element.content == "old")
        #expect(state.element(id("a"))?.element.content == "new")
        #expect(state.changes(since: pinned) == Set(state.elements.map(\.serial)))
    }

    @Test func tellsNoChangesAgainstAnotherScreen() throws {
        var state = try screen([element("a")])
        let pinned = state
        try state.take(ScreenSnapshot(revision: 2, url: "/other", elements: [element("a"), element("b")]))
        #expect(state.changes(since: pinned).isEmpty)
    }
}
