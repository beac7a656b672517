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

/// `highlight`: a ring on an element.
public struct Highlight: Sendable, Hashable {
    /// How to draw it.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        case arrow
        case box
        case underline
    }

    /// The turn.
    public var turn: TurnID
    /// Unicode scalars of the turn's text before it.
    public var at: Int
    /// The element.
    public var element: ElementID
    /// Its newest box, normalised.
    public var box: Box
    /// The revision the box is of.
    public var revision: Int64
    /// How to draw it (wire: `kind`).
    public var shape: Shape
    /// A word or two, if any.
    public var label: String?
    /// How long it lives at most, in milliseconds.
    public var ttlMilliseconds: Int

    /// Makes an event.
    public init(
        turn: TurnID, at: Int, element: ElementID, box: Box, revision: Int64, shape: Shape = .box,
        label: String? = nil, ttlMilliseconds: Int
    ) {
        self.turn = turn
        self.at = at
        self.element = element
        self.box = box
        self.revision = revision
        self.shape = shape
        self.label = label
        self.ttlMilliseconds = ttlMilliseconds
    }
}

/// `next_action`: a step for the student.
public struct NextAction: Sendable, Hashable {
    /// What to do.
    public enum Verb: String, Sendable, Hashable, CaseIterable {
        case read
        case scroll
        case select
        case tap
        case type
        case wait
    }

    /// The turn.
    public var turn: TurnID
    /// Unicode scalars of the turn's text before it.
    public var at: Int
    /// From 1 within the turn.
    public var step: Int
    /// What to do.
    public var verb: Verb
    /// The element.
    public var element: ElementID
    /// Its newest box, normalised.
    public var box: Box
    /// The revision the box is of.
    public var revision: Int64
    /// What to type or choose, if anything.
    public var text: String?

    /// Makes an event.
    public init(
        turn: TurnID, at: Int, step: Int, verb: Verb, element: ElementID, box: Box, revision: Int64,
        text: String? = nil
    ) {
        self.turn = turn
        self.at = at
        self.step = step
        self.verb = verb
        self.element = element
        self.box = box
        self.revision = revision
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
