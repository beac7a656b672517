// TurnEnd: a turn is over.
// Spec: docs/protocol.md §5

/// `turn.end`: the turn is over.
public struct TurnEnd: Sendable, Hashable {
    /// How it ended.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        case cancelled
        case done
        case expired
        case failed
        case superseded
    }

    /// Something that the model pointed at and the student was not shown.
    public struct Dropped: Sendable, Hashable {
        /// Why it was not shown.
        public enum Why: String, Sendable, Hashable, CaseIterable {
            case answerLeak = "answer_leak"
            case blank
            case stale
            case unknown
        }

        /// The element's id, or what the model wrote where there is no such element.
        public var element: String
        /// Why it was not shown.
        public var why: Why

        /// Makes an entry.
        public init(element: String, why: Why) {
            self.element = element
            self.why = why
        }
    }

    /// Tokens, as the endpoint reported them or as estimated.
    public struct Usage: Sendable, Hashable {
        /// Tokens of the prompt, cached ones included.
        public var input: Int
        /// Those of them that the endpoint had cached.
        public var cached: Int
        /// Tokens of the answer.
        public var output: Int
        /// Whether the server estimated them.
        public var estimated: Bool

        /// Makes a count.
        public init(input: Int, cached: Int, output: Int, estimated: Bool) {
            self.input = input
            self.cached = cached
            self.output = output
            self.estimated = estimated
        }
    }

    /// The turn.
    public var turn: TurnID
    /// The ask that it answers.
    public var re: MessageID?
    /// How it ended.
    public var status: Status
    /// An ``ErrorCode``, `length`, `policy` or `restarted`; nil when there is nothing to say.
    public var reason: String?
    /// The concatenation of the turn's deltas.
    public var answer: String
    /// One line about the turn; nil when there is none.
    public var summary: String?
    /// What was not shown, in the order it came.
    public var dropped: [Dropped]
    /// Tokens; nil when no model was called.
    public var usage: Usage?
    /// From the ask to the first text, in milliseconds; nil without text.
    public var firstTextMilliseconds: Int?
    /// From the ask to the end, in milliseconds.
    public var durationMilliseconds: Int

    /// Makes an event.
    public init(
        turn: TurnID, re: MessageID?, status: Status, reason: String?, answer: String, summary: String?,
        dropped: [Dropped], usage: Usage?, firstTextMilliseconds: Int?, durationMilliseconds: Int
    ) {
        self.turn = turn
        self.re = re
        self.status = status
        self.reason = reason
        self.answer = answer
        self.summary = summary
        self.dropped = dropped
        self.usage = usage
        self.firstTextMilliseconds = firstTextMilliseconds
        self.durationMilliseconds = durationMilliseconds
    }
}
