// TargetValidator: only what is still the same on the newest screen is shown.
// Spec: docs/protocol.md §5 rule 8

import ScreenCore
import Testing
import TutorCore
import TutorProtocol

@Suite("Targets")
struct TargetValidatorTests {
    /// What happens to the screen between the question and the reference, and what comes of alias 2, a button `Next`.
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var change: @Sendable () throws -> Change
        var expected: String

        init(testDescription: String, change: @escaping @Sendable @autoclosure () throws -> Change, expected: String) {
            self.testDescription = testDescription
            self.change = change
            self.expected = expected
        }
    }

    enum Change: Sendable {
        case delta(ScreenDelta)
        case none
        case snapshot(ScreenSnapshot)
    }

    static let rows: [Row] = [
        Row(testDescription: "nothing", change: .none, expected: "b 0.5"),
        Row(
            testDescription: "moved: the newest box",
            change: try delta(update: [ElementUpdate(id: id("b"), box: box(0.7))]), expected: "b 0.7"),
        Row(
            testDescription: "another label: not what the model saw",
            change: try delta(update: [ElementUpdate(id: id("b"), content: "Stop")]), expected: "b stale"),
        Row(
            testDescription: "hidden",
            change: try delta(update: [ElementUpdate(id: id("b"), states: .hidden)]), expected: "b blank"),
        Row(
            testDescription: "secure",
            change: try delta(update: [ElementUpdate(id: id("b"), states: .secure)]), expected: "b stale"),
        Row(
            testDescription: "no height",
            change: try delta(update: [ElementUpdate(id: id("b"), box: box(0.5, height: 0))]), expected: "b blank"),
        Row(testDescription: "removed", change: try delta(remove: [id("b")]), expected: "b stale"),
        Row(
            testDescription: "removed, and its namesake of before is not it",
            change: try delta(remove: [id("b")], update: [ElementUpdate(id: id("t"), content: "Next")]),
            expected: "b stale"),
        Row(
            testDescription: "drawn again elsewhere under another id",
            change: try delta(remove: [id("b")], add: [button("b9", "Next", at: 0.9)]), expected: "b9 0.9"),
        Row(
            testDescription: "drawn again under the same id",
            change: try delta(remove: [id("b")], add: [button("b", "Next", at: 0.8)]), expected: "b 0.8"),
        Row(
            testDescription: "replaced by another kind",
            change: try delta(
                remove: [id("b")], add: [Element(id: id("b"), kind: .link, content: "Next", box: box(0.5))]),
            expected: "b stale"),
        Row(
            testDescription: "drawn again twice, one at the old place",
            change: try delta(
                remove: [id("b")], add: [button("b8", "Next", at: 0.51), button("b9", "Next", at: 0.9)]),
            expected: "b8 0.51"),
        Row(
            testDescription: "drawn again twice, both elsewhere",
            change: try delta(
                remove: [id("b")], add: [button("b8", "Next", at: 0.7), button("b9", "Next", at: 0.9)]),
            expected: "b stale"),
        Row(
            testDescription: "drawn again, hidden",
            change: try delta(
                remove: [id("b")],
                add: [Element(id: id("b9"), kind: .button, content: "Next", box: box(0.5), states: .hidden)]),
            expected: "b stale"),
        Row(
            testDescription: "another button at its place",
            change: try delta(remove: [id("b")], add: [button("b9", "Back", at: 0.5)]), expected: "b stale"),
        Row(
            testDescription: "a fresh screen of the same page",
            change: .snapshot(try screen(revision: 1, url: "/a", [button("n1", "Next", at: 0.3)])), expected: "n1 0.3"),
        Row(
            testDescription: "another page with the same button",
            change: .snapshot(try screen(revision: 9, url: "/b", [button("b", "Next", at: 0.5)])), expected: "b stale"),
    ]

    @Test(arguments: rows)
    func resolvesWhatIsStillThere(row: Row) throws {
        let pinned = try Self.pinned()
        var current = pinned
        switch try row.change() {
        case .none: break
        case .delta(let delta): _ = try current.apply(delta, coordinates: Coordinates(), limits: Limits())
        case .snapshot(let snapshot): _ = try current.apply(snapshot, coordinates: Coordinates(), limits: Limits())
        }
        #expect(outcome(2, pinned, current) == row.expected)
    }

    @Test func dropsAnInventedAliasByWhatTheModelWrote() throws {
        let pinned = try Self.pinned()
        #expect(outcome(99, pinned, pinned) == "99 unknown")
        #expect(outcome(-1, pinned, pinned) == "-1 unknown")
    }

    @Test func dropsAnElementThatIsOnTheScreenButWasNotSent() throws {
        let pinned = try Self.pinned()
        let result = TargetValidator().resolve(2, sent: [:], pinned: pinned, current: pinned)
        #expect(result == .failure(TurnEnd.Dropped(element: "2", why: .unknown)))
    }

    @Test func keepsAnInputWhoseContentTheStudentChanged() throws {
        let pinned = try Self.pinned()
        var current = pinned
        _ = try current.apply(
            ScreenDelta(base: 5, revision: 6, update: [ElementUpdate(id: try Self.id("i"), content: "x = 2")]),
            coordinates: Coordinates(), limits: Limits())
        #expect(outcome(1, pinned, current) == "i 0.2")
    }

    @Test func dropsContentThatChangedAndShowsItWhenItIsBack() throws {
        let pinned = try Self.pinned()
        var current = pinned
        for (revision, content, expected) in [(6, "wrong", "t stale"), (7, "Check", "t 0.1")] {
            _ = try current.apply(
                ScreenDelta(
                    base: Int64(revision - 1), revision: Int64(revision),
                    update: [ElementUpdate(id: try Self.id("t"), content: content)]),
                coordinates: Coordinates(), limits: Limits())
            #expect(outcome(3, pinned, current) == expected)
        }
    }

    @Test func showsNothingWithoutAScreen() {
        #expect(outcome(1, ScreenState(), ScreenState(), sent: [1: ElementSerial(rawValue: 1)]) == "1 unknown")
    }

    @Test func everyShownTargetIsOnThePinnedAndTheNewestScreen() throws {
        var dice = Dice(seed: 41)
        for _ in 0..<400 {
            let pinned = try Self.pinned()
            var current = pinned
            for revision in 6..<10 {
                var delta = ScreenDelta(base: current.revision, revision: Int64(revision))
                let ids = current.elements.map(\.id)
                if dice.roll(3) == 0, !ids.isEmpty { delta.remove = [dice.pick(ids)] }
                if dice.roll(2) == 0 {
                    delta.add = [
                        try Self.button("n\(revision)", dice.pick(["Next", "Check"]), at: Double(dice.roll(9)) / 10)
                    ]
                }
                if dice.roll(3) == 0, let other = ids.first(where: { !delta.remove.contains($0) }) {
                    delta.update = [ElementUpdate(id: other, content: dice.pick(["Next", "Check", "x"]))]
                }
                _ = try current.apply(delta, coordinates: Coordinates(), limits: Limits())
            }
            let sent = Self.sent(pinned)
            for alias in 0..<6 {
                guard
                    case .success(let target) = TargetValidator().resolve(
                        alias, sent: sent, pinned: pinned, current: current)
                else { continue }
                let known = try #require(sent[alias].flatMap { pinned.element(serial: $0) })
                #expect(current.element(serial: target.serial) == target)
                #expect(target.element.kind == known.element.kind)
                #expect(target.element.kind.isInput || target.element.content == known.element.content)
                #expect(target.serial == known.serial || pinned.element(serial: target.serial) == nil)
            }
        }
    }

    // MARK: - Screens

    private func outcome(
        _ alias: Int, _ pinned: ScreenState, _ current: ScreenState, sent: [Int: ElementSerial]? = nil
    ) -> String {
        switch TargetValidator().resolve(alias, sent: sent ?? Self.sent(pinned), pinned: pinned, current: current) {
        case .success(let target): "\(target.id) \(target.element.box.y)"
        case .failure(let dropped): "\(dropped.element) \(dropped.why.rawValue)"
        }
    }

    fileprivate static func pinned() throws -> ScreenState {
        var state = ScreenState()
        _ = try state.apply(
            screen(
                revision: 5, url: "/a",
                [
                    try Element(id: id("i"), kind: .input, content: "", box: box(0.2), placeholder: "Answer"),
                    try button("b", "Next", at: 0.5), try button("t", "Check", at: 0.1),
                ]), coordinates: Coordinates(), limits: Limits())
        return state
    }

    fileprivate static func sent(_ screen: ScreenState) -> [Int: ElementSerial] {
        var sent: [Int: ElementSerial] = [:]
        for (index, element) in screen.elements.enumerated() { sent[index + 1] = element.serial }
        return sent
    }

    fileprivate static func screen(revision: Int64, url: String, _ elements: [Element]) -> ScreenSnapshot {
        ScreenSnapshot(revision: revision, url: url, elements: elements)
    }

    fileprivate static func delta(
        remove: [ElementID] = [], add: [Element] = [], update: [ElementUpdate] = []
    ) -> Change {
        .delta(ScreenDelta(base: 5, revision: 6, remove: remove, add: add, update: update))
    }

    fileprivate static func button(_ name: String, _ content: String, at y: Double) throws -> Element {
        try Element(id: id(name), kind: .button, content: content, box: box(y))
    }

    fileprivate static func id(_ name: String) throws -> ElementID {
        try #require(ElementID(name))
    }

    fileprivate static func box(_ y: Double, height: Double = 0.08) throws -> Box {
        try #require(Box(x: 0.1, y: y, width: 0.3, height: height))
    }
}
