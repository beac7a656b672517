// TurnEvent: what happened in a turn; the events that the session's log numbers.
// Spec: docs/protocol.md §2 (the log), §5

/// One numbered event of a session.
public struct LoggedEvent: Sendable, Hashable {
    /// 1, 2, … without gaps within the session.
    public var seq: Int64
    /// What happened.
    public var event: TurnEvent

    /// Numbers an event.
    public init(seq: Int64, event: TurnEvent) {
        self.seq = seq
        self.event = event
    }
}

/// What happened in a turn, in canonical form: boxes normalised, redacted texts with their placeholders.
public enum TurnEvent: Sendable, Hashable {
    case answerDelta(AnswerDelta)
    case highlight(Highlight)
    case nextAction(NextAction)
    case stepObserved(StepObserved)
    case turnEnd(TurnEnd)
    case turnStart(TurnStart)
}

/// `answer.delta`: a piece of the answer.
public struct AnswerDelta: Sendable, Hashable {
    /// The turn.
    public var turn: TurnID
    /// Markdown subset, never empty.
    public var text: String

    /// Makes an event.
    public init(turn: TurnID, text: String) {
        self.turn = turn
        self.text = text
    }
}

/// `step.observed`: whether a step had its expected effect.
public struct StepObserved: Sendable, Hashable {
    /// The turn.
    public var turn: TurnID
    /// The step.
    public var step: Int
    /// Whether what was expected came.
    public var met: Bool

    /// Makes an event.
    public init(turn: TurnID, step: Int, met: Bool) {
        self.turn = turn
        self.step = step
        self.met = met
    }
}
