// SessionStepsTests: steps done, rings not drawn.
// Spec: docs/protocol.md §5 rules 9 and 10

import Testing
import TutorCore
import TutorProtocol

@Suite("§5 the student's reports") struct SessionStepsTests {
    /// A turn that proposed to press the button.
    private func harness() throws -> SessionHarness {
        var harness = SessionHarness()
        harness.send(.screenSnapshot(try TestScreen.algebra()))
        harness.ask(id: "q1")
        harness.answer("Press [[\(try harness.alias("go")) tap]] it.")
        _ = harness.takeLines()
        return harness
    }

    private func removal(of id: String) throws -> ClientMessage.Body {
        .screenDelta(ScreenDelta(base: 1, revision: 2, remove: [try TestScreen.id(id)]))
    }

    @Test func aResultIsAcknowledged() throws {
        var harness = try harness()
        harness.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: true)), id: "r1")
        harness.send(.stepResult(StepResult(turn: TurnID(1), step: 99, ok: true)), id: "r2")
        harness.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: true)))
        #expect(
            harness.messages == [.ok(re: try #require(MessageID("r1"))), .ok(re: try #require(MessageID("r2")))])
    }

    @Test func anOpenStepFollowsItsElementAndAClosedOneDoesNot() throws {
        var open = try harness()
        open.send(try removal(of: "go"))
        #expect(open.updates.map(\.why) == [.removed])
        var closed = try harness()
        closed.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: true)))
        closed.send(try removal(of: "go"))
        #expect(closed.updates.isEmpty)
    }

    @Test func workRaisesTheHintThatIsGranted() throws {
        var harness = try harness()
        harness.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: true)))
        harness.send(.ask(Ask(text: "more", hintLevel: 4)), id: "q2")
        #expect(harness.starts.map(\.hintLevel) == [3])
    }

    @Test func aStepThatFailedOrIsReportedTwiceIsNoWork() throws {
        var harness = try harness()
        harness.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: false)))
        for _ in 0..<5 { harness.send(.stepResult(StepResult(turn: TurnID(1), step: 1, ok: true))) }
        harness.send(.ask(Ask(text: "more", hintLevel: 4)), id: "q2")
        #expect(harness.starts.map(\.hintLevel) == [2])
    }

    @Test func ringsThatCouldNotBeDrawnAreRecordedWithinBounds() throws {
        var harness = try harness()
        for number in 0..<40 {
            let missed = HighlightMissed(
                turn: TurnID(1), element: try TestScreen.id("e\(number)"), why: "scrolled away")
            harness.send(.highlightMissed(missed), id: "m\(number)")
        }
        #expect(harness.messages.count == 40)
        #expect(harness.session.missedHighlights.count == 32)
        #expect(harness.session.missedHighlights.last?.element.rawValue == "e39")
    }

    @Test(arguments: [0, -1, 2, Int.max]) func aTurnThatNeverWasIsUnknown(number: Int) throws {
        var harness = try harness()
        harness.send(.stepResult(StepResult(turn: TurnID(number), step: 1, ok: true)), id: "r1")
        let missed = HighlightMissed(turn: TurnID(number), element: try TestScreen.id("e1"), why: "")
        harness.send(.highlightMissed(missed), id: "m1")
        #expect(harness.errors.map(\.code) == [.unknownTurn, .unknownTurn])
        #expect(harness.session.missedHighlights.isEmpty)
    }
}
