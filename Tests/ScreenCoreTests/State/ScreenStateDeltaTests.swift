// Deltas: applied whole or not at all.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct ScreenStateDeltaTests {
    private func start() throws -> ScreenState {
        try screen([
            element("a", .text, "one", at: box(0, 0, 0.1, 0.1), region: "r"),
            element("b", .input, "", at: box(0, 0.2, 0.1, 0.1)),
            element("c", .button, "Go", at: box(0, 0.4, 0.1, 0.1), region: "r"),
        ])
    }

    @Test func appliesInTheOrderRemoveAddUpdateMove() throws {
        var state = try start()
        let change = try state.take(
            ScreenDelta(
                base: 1, revision: 4, remove: [id("a")], add: [element("a", .text, "two")],
                update: [ElementUpdate(id: id("a"), content: "three"), ElementUpdate(id: id("b"), content: "5")],
                move: [ElementMove(by: point(0, 0.5), target: .ids([id("a")]))]))
        let renewed = try #require(state.element(id("a")))
        #expect(renewed.element.content == "three")
        #expect(renewed.element.box == box(0.1, 0.6, 0.2, 0.05))
        #expect(change.added == [renewed.serial] && change.removed.count == 1)
        #expect(change.contentChanged == [state.element(id("b"))?.serial].compactMap(\.self))
        #expect(state.elements.map(\.id) == [id("b"), id("c"), id("a")] && state.revision == 4)
        #expect(state.element(serial: renewed.serial) == renewed)
        #expect(change.removed.allSatisfy { state.element(serial: $0) == nil })
    }

    @Test func removedAndAddedAgainIsAnotherElement() throws {
        var state = try start()
        let old = try #require(state.element(id("a")))
        try state.take(ScreenDelta(base: 1, revision: 2, remove: [id("a")], add: [old.element]))
        #expect(state.element(id("a"))?.serial != old.serial)
    }

    @Test func anotherKindIsAnotherElement() throws {
        var state = try start()
        let old = try #require(state.element(id("c")))
        let change = try state.take(
            ScreenDelta(base: 1, revision: 2, update: [ElementUpdate(id: id("c"), kind: .link)]))
        #expect(change.removed == [old.serial] && change.added.count == 1)
        #expect(state.element(serial: old.serial) == nil)
        #expect(state.elements.map(\.id) == [id("a"), id("b"), id("c")])
    }

    @Test func aRepeatChangesNothing() throws {
        var state = try start()
        let delta = ScreenDelta(base: 1, revision: 2, remove: [id("a")])
        try state.take(delta)
        let before = state.elements
        let change = try state.take(delta)
        #expect(change.isRepeat && change.removed.isEmpty && state.elements == before && state.revision == 2)
    }

    @Test func tellsTheKindOfFault() throws {
        let far = ElementMove(by: point(2_000, 0), target: .all)
        let faults: [(ScreenDelta, ScreenError)] = [
            (ScreenDelta(base: 0, revision: 2), .gap(serverRevision: 1)),
            (ScreenDelta(base: 2, revision: 3), .gap(serverRevision: 1)),
            (ScreenDelta(base: 1, revision: 0), .invalid(path: "revision", reason: "not above base")),
            (ScreenDelta(base: 1, revision: 2, remove: [id("z")]), .unknownID(path: "remove[0]")),
            (ScreenDelta(base: 1, revision: 2, remove: [id("a"), id("a")]), .unknownID(path: "remove[1]")),
            (ScreenDelta(base: 1, revision: 2, add: [element("a")]), .invalid(path: "add[0].id", reason: "is in use")),
            (
                ScreenDelta(base: 1, revision: 2, add: [element("x"), element("x")]),
                .invalid(path: "add[1].id", reason: "is in use")
            ),
            (
                ScreenDelta(base: 1, revision: 2, remove: [id("a")], update: [ElementUpdate(id: id("a"))]),
                .unknownID(path: "update[0].id")
            ),
            (
                ScreenDelta(
                    base: 1, revision: 2, move: [ElementMove(by: point(0, 1), target: .ids([id("a"), id("q")]))]),
                .unknownID(path: "move[0].ids[1]")
            ),
            (
                ScreenDelta(base: 1, revision: 2, move: [far]),
                .invalid(path: "move[0].by", reason: "more than 1000 screens away")
            ),
        ]
        for (delta, fault) in faults {
            var state = try start()
            #expect(throws: fault) { try state.take(delta) }
            #expect(try state.revision == 1 && state.elements == start().elements)
        }
    }

    @Test func keepsToItsLimits() throws {
        var limits = Limits()
        limits.elements = 4
        limits.deltaOperations = 3
        var state = try start()
        #expect(throws: ScreenError.limit(path: "add")) {
            try state.take(ScreenDelta(base: 1, revision: 2, add: [element("x"), element("y")]), limits: limits)
        }
        #expect(throws: ScreenError.invalid(path: "update", reason: "more than 3 operations")) {
            let updates = Array(repeating: ElementUpdate(id: id("a")), count: 4)
            try state.take(ScreenDelta(base: 1, revision: 2, update: updates), limits: limits)
        }
        try state.take(
            ScreenDelta(base: 1, revision: 2, remove: [id("a")], add: [element("x"), element("y")]), limits: limits)
        #expect(state.elements.count == 4)
    }

    @Test func movesAllARegionAndNamedOnes() throws {
        var state = try start()
        let change = try state.take(
            ScreenDelta(
                base: 1, revision: 2,
                move: [
                    ElementMove(by: point(0, 1), target: .all),
                    ElementMove(by: point(2, 0), target: .region("r")),
                    ElementMove(by: point(0, -1), target: .ids([id("b")])),
                    ElementMove(by: point(9, 9), target: .region("nobody")),
                ]))
        #expect(state.elements.map(\.element.box.x) == [2, 0, 2])
        #expect(state.elements.map(\.element.box.y) == [1, 0.2, 1.4])
        #expect(Set(change.moved) == Set([id("a"), id("c")].compactMap { state.element($0)?.serial }))
    }

    @Test func updatesAndRemovesKeys() throws {
        var state = try start()
        try state.take(
            ScreenDelta(
                base: 1, revision: 2,
                update: [ElementUpdate(id: id("b"), placeholder: .set("Answer"), value: .set("4"), states: .focused)]))
        #expect(state.element(id("b"))?.contentRevision == 2)
        let change = try state.take(
            ScreenDelta(base: 2, revision: 3, update: [ElementUpdate(id: id("b"), placeholder: .remove)]))
        let field = try #require(state.element(id("b")))
        #expect(field.element.placeholder == nil && field.element.value == "4" && field.element.states == .focused)
        #expect(field.contentRevision == 2 && field.alterationRevision == 3)
        #expect(change.altered == [field.serial] && change.contentChanged.isEmpty)
    }

    @Test func aDeltaMayOnlySetTheFocus() throws {
        var state = try start()
        let change = try state.take(ScreenDelta(base: 1, revision: 2, focus: .element(id("b"))))
        #expect(state.focus == .element(id("b")) && change == ScreenChange())
        try state.take(ScreenDelta(base: 2, revision: 3, update: [ElementUpdate(id: id("b"), content: "1")]))
        #expect(state.focus == .element(id("b")))
        try state.take(ScreenDelta(base: 3, revision: 4, remove: [id("b")]))
        #expect(state.focus == nil)
    }

    @Test func aDeltaWithoutAScreenIsAGap() {
        var state = ScreenState()
        #expect(throws: ScreenError.gap(serverRevision: 0)) { try state.take(ScreenDelta(base: 0, revision: 1)) }
        #expect(throws: ScreenError.gap(serverRevision: 0)) { try state.take(ScreenDelta(base: 0, revision: 0)) }
    }
}
