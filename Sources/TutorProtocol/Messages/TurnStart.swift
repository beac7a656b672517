// TurnStart: an ask was accepted.
// Spec: docs/protocol.md §5

/// `turn.start`: an ask was accepted.
public struct TurnStart: Sendable, Hashable {
    /// Why a turn began.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        case ask
        case follow
        case hint
    }

    /// What the model gets to see of the screen.
    public struct Context: Sendable, Hashable {
        /// Elements on the pinned screen.
        public var elements: Int
        /// Elements that the prompt holds.
        public var sent: Int
        /// The estimate for the whole prompt, in tokens.
        public var promptTokens: Int
        /// The budget for the screen, in tokens.
        public var budget: Int
        /// How many were left out, by kind of reason, sorted by name.
        public var leftOut: [String: Int]
        /// How many texts were redacted, by class.
        public var redacted: [String: Int]
        /// Summaries of earlier turns in the prompt.
        public var summaries: Int

        /// Makes a context.
        public init(
            elements: Int = 0, sent: Int = 0, promptTokens: Int = 0, budget: Int = 0, leftOut: [String: Int] = [:],
            redacted: [String: Int] = [:], summaries: Int = 0
        ) {
            self.elements = elements
            self.sent = sent
            self.promptTokens = promptTokens
            self.budget = budget
            self.leftOut = leftOut
            self.redacted = redacted
            self.summaries = summaries
        }
    }

    /// The turn.
    public var turn: TurnID
    /// Why it began.
    public var cause: Cause
    /// The ask that it answers.
    public var re: MessageID?
    /// The pinned screen; nil without one.
    public var revision: Int64?
    /// The model's name as the operator set it.
    public var model: String
    /// The granted hint level.
    public var hintLevel: Int
    /// What the model gets to see.
    public var context: Context

    /// Makes an event.
    public init(
        turn: TurnID, cause: Cause, re: MessageID?, revision: Int64?, model: String, hintLevel: Int, context: Context
    ) {
        self.turn = turn
        self.cause = cause
        self.re = re
        self.revision = revision
        self.model = model
        self.hintLevel = hintLevel
        self.context = context
    }
}
