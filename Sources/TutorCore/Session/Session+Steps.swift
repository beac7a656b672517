// Session, the student's reports: steps done, rings not drawn.
// Spec: docs/protocol.md §5 rules 9 and 10

import TutorProtocol

extension Session {
    /// Takes the result of a step.
    ///
    /// A step of an earlier turn, or one that is closed, changes nothing.
    mutating func take(_ result: StepResult, id: MessageID?) {
        guard isKnown(result.turn) else { return refuse(id, .unknownTurn, "no such turn", path: "turn") }
        if openSteps.close(result.step, of: result.turn) {
            live.closeStep(result.step, of: result.turn)
            if result.ok { ladder.noteWork() }
        }
        acknowledge(id)
    }

    /// Takes the report of a ring that could not be drawn.
    mutating func take(_ missed: HighlightMissed, id: MessageID?) {
        guard isKnown(missed.turn) else { return refuse(id, .unknownTurn, "no such turn", path: "turn") }
        let capacity = max(1, configuration.missedHighlights)
        if missedHighlights.count >= capacity { missedHighlights.removeFirst(missedHighlights.count - capacity + 1) }
        missedHighlights.append(missed)
        acknowledge(id)
    }

    /// Whether the session has or had this turn.
    func isKnown(_ turn: TurnID) -> Bool {
        turn.number > 0 && turn.number <= lastTurn
    }
}
