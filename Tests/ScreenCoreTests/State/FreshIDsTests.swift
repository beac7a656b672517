// Fresh ids: elements of recognised lists are found again.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct FreshIDsTests {
    private func snapshot(_ revision: Int64, _ elements: [Element], url: String? = nil) -> ScreenSnapshot {
        ScreenSnapshot(revision: revision, url: url, elements: elements, wantsFreshIDs: true)
    }

    private func texts(_ contents: [(String, Double, Double)]) -> [Element] {
        contents.enumerated().map { number, item in
            element("x\(number)", .text, item.0, at: box(item.1, item.2, 0.2, 0.04))
        }
    }

    @Test func givesIDsInReadingOrderAndReturnsThemInTheOrderSent() throws {
        var state = ScreenState()
        let change = try state.take(
            snapshot(1, texts([("low", 0, 0.8), ("right", 0.5, 0.11), ("left", 0.1, 0.1)])))
        #expect(change.ids == [id("n3"), id("n2"), id("n1")])
        #expect(state.elements.map(\.element.content) == ["low", "right", "left"])
    }

    @Test func findsElementsAgainAfterAScroll() throws {
        var state = ScreenState()
        let list = (0..<20).map { ("line \($0)", 0.1, Double($0) * 0.06) }
        try state.take(snapshot(1, texts(list)))
        let serials = Dictionary(uniqueKeysWithValues: state.elements.map { ($0.element.content, $0.serial) })
        let scrolled = list.dropFirst(3).map { ($0.0, $0.1, $0.2 - 0.18) } + [("line 20", 0.1, 1.02)]
        let change = try state.take(snapshot(2, texts(scrolled)))
        #expect(change.added.count == 1 && change.removed.count == 3 && change.contentChanged.isEmpty)
        for element in state.elements where element.element.content != "line 20" {
            #expect(serials[element.element.content] == element.serial)
        }
    }

    @Test func keepsTheElementWhoseTextChangedInPlace() throws {
        var state = ScreenState()
        try state.take(snapshot(1, texts([("Total 12", 0.1, 0.1), ("Other", 0.1, 0.5)])))
        let before = state.elements.map(\.serial)
        let change = try state.take(snapshot(2, texts([("Total 13", 0.1, 0.1), ("Other", 0.1, 0.5)])))
        #expect(state.elements.map(\.serial) == before && change.contentChanged == [before[0]])
    }

    @Test func neverPairsDifferentKinds() throws {
        var state = ScreenState()
        try state.take(snapshot(1, [element("x", .text, "OK")]))
        let change = try state.take(snapshot(2, [element("x", .button, "OK")]))
        #expect(change.added.count == 1 && change.ids == [id("n2")])
    }

    @Test func pairsRepeatedTextsByPlace() throws {
        var state = ScreenState()
        try state.take(snapshot(1, texts([("Delete", 0.8, 0.1), ("Delete", 0.8, 0.2), ("Delete", 0.8, 0.3)])))
        let before = state.elements.map(\.serial)
        try state.take(snapshot(2, texts([("Delete", 0.8, 0.1), ("Delete", 0.8, 0.3)])))
        #expect(state.elements.map(\.serial) == [before[0], before[2]])
    }

    @Test func neverGivesANumberTwice() throws {
        var state = ScreenState()
        try state.take(snapshot(1, texts([("a", 0.1, 0.1)])))
        try state.take(snapshot(2, [], url: "/b"))
        #expect(try state.take(snapshot(3, texts([("a", 0.1, 0.1)]))).ids == [id("n2")])
    }

    @Test func avoidsIDsThatTheClientGaveItself() throws {
        var state = ScreenState()
        try state.take(ScreenSnapshot(revision: 1, elements: [element("n1", .text, "kept")]))
        let change = try state.take(snapshot(2, texts([("first", 0.1, 0.02), ("kept", 0.1, 0.1)])))
        #expect(change.ids == [id("n2"), id("n1")])
    }

    @Test func carriesParentsAndFocusOver() throws {
        var state = ScreenState()
        var child = element("c", .text, "child", at: box(0.1, 0.5, 0.1, 0.1))
        child.parent = id("p")
        var message = snapshot(1, [element("p", .dialog, "", at: box(0, 0, 1, 0.2)), child])
        message.focus = .element(id("c"))
        try state.take(message)
        #expect(state.elements[1].element.parent == id("n1") && state.focus == .element(id("n2")))
    }
}
