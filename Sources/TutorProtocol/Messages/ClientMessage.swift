// ClientMessage: everything a client may send, typed.
// Spec: docs/protocol.md §2-§5

/// One message of a client, read and checked.
public struct ClientMessage: Sendable, Hashable {
    /// The client's name for it; comes back as `re`.
    public var id: MessageID?
    /// What it says.
    public var body: Body

    /// Makes a message.
    public init(id: MessageID?, body: Body) {
        self.id = id
        self.body = body
    }

    /// What a message says.
    public enum Body: Sendable, Hashable {
        case ask(Ask)
        /// `auth.refresh`: a new token for the same subject.
        case authRefresh(token: String)
        case cancel(Cancel)
        case feedback(Feedback)
        /// `forget`: erase what is stored of the session, or of all sessions of its subject.
        case forget(all: Bool)
        case hello(Hello)
        case highlightMissed(HighlightMissed)
        case ping(Ping)
        case screenDelta(ScreenDelta)
        case screenSnapshot(ScreenSnapshot)
        case stepResult(StepResult)
        /// A type that the protocol has and this server does not offer; the value is its `type`.
        case unsupported(String)
    }
}

/// `cancel`: ends a turn, named by itself or by its ask.
public enum Cancel: Sendable, Hashable {
    case ask(MessageID)
    case turn(TurnID)
}

/// `ping`: an application-level ping; the number comes back.
public struct Ping: Sendable, Hashable {
    /// Any finite number of the client's.
    public var t: Double?

    /// Makes a ping.
    public init(t: Double?) { self.t = t }
}

/// `step.result`: the student did a step, or could not.
public struct StepResult: Sendable, Hashable {
    /// The turn.
    public var turn: TurnID
    /// The step's number within the turn, from 1.
    public var step: Int
    /// Whether it went well.
    public var ok: Bool

    /// Makes a result.
    public init(turn: TurnID, step: Int, ok: Bool) {
        self.turn = turn
        self.step = step
        self.ok = ok
    }
}

/// `highlight.missed`: the client could not draw a highlight.
public struct HighlightMissed: Sendable, Hashable {
    /// The turn.
    public var turn: TurnID
    /// The element.
    public var element: ElementID
    /// Why, in the client's words; at most 200 bytes are kept.
    public var why: String

    /// Makes a report.
    public init(turn: TurnID, element: ElementID, why: String) {
        self.turn = turn
        self.element = element
        self.why = why
    }
}
