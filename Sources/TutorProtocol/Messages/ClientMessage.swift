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
        case cancel(Cancel)
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

/// The role that a client claims; it must equal its token's.
public enum Role: String, Sendable, Hashable, CaseIterable {
    case admin
    case observer
    case student
    case teacher
}

/// `hello`: the first message of a connection.
public struct Hello: Sendable, Hashable {
    /// Where a client wants to go on.
    ///
    /// Stored together, since an epoch without its seq is meaningless.
    public struct Resume: Sendable, Hashable {
        /// The session.
        public var session: String
        /// The key from the last `welcome`.
        public var key: String
        /// The epoch from the last `welcome`.
        public var epoch: String
        /// The last `seq` that the client has; 0 for none.
        public var seq: Int64

        /// Makes a request to resume.
        public init(session: String, key: String, epoch: String, seq: Int64) {
            self.session = session
            self.key = key
            self.epoch = epoch
            self.seq = seq
        }
    }

    /// The role it claims.
    public var role: Role
    /// The client's name and version, for the log.
    public var clientName: String?
    /// The client's version, for the log.
    public var clientVersion: String?
    /// A BCP 47 tag such as `zh-CN`.
    public var locale: String?
    /// The convention of every box in both directions.
    public var coordinates: Coordinates
    /// Where to go on, if anywhere.
    public var resume: Resume?
    /// The code of a room to join.
    public var room: String?
    /// The nickname in the room.
    public var name: String?
    /// Whether the tutor may begin a turn by itself.
    public var follow: Bool

    /// Makes a hello; the defaults are the protocol's.
    public init(
        role: Role, clientName: String? = nil, clientVersion: String? = nil, locale: String? = nil,
        coordinates: Coordinates = Coordinates(), resume: Resume? = nil, room: String? = nil, name: String? = nil,
        follow: Bool = false
    ) {
        self.role = role
        self.clientName = clientName
        self.clientVersion = clientVersion
        self.locale = locale
        self.coordinates = coordinates
        self.resume = resume
        self.room = room
        self.name = name
        self.follow = follow
    }
}

/// `ask`: a question.
///
/// Its message id is required and is the idempotency key.
public struct Ask: Sendable, Hashable {
    /// What happens when a turn is running.
    public enum WhenBusy: String, Sendable, Hashable, CaseIterable {
        case reject
        case supersede
    }

    /// The question; empty only together with ``of``.
    public var text: String
    /// The screen it is about; nil for the newest that the server has.
    public var revision: Int64?
    /// Where the student's attention is, for this question only.
    public var focus: Focus?
    /// The language of the answer, a BCP 47 tag.
    public var language: String?
    /// How much help is wanted, 0 to 4.
    ///
    /// Default 2.
    public var hintLevel: Int
    /// The turn whose next hint is wanted.
    public var of: TurnID?
    /// Default ``WhenBusy/supersede``.
    public var whenBusy: WhenBusy

    /// Makes a question; the defaults are the protocol's.
    public init(
        text: String, revision: Int64? = nil, focus: Focus? = nil, language: String? = nil, hintLevel: Int = 2,
        of: TurnID? = nil, whenBusy: WhenBusy = .supersede
    ) {
        self.text = text
        self.revision = revision
        self.focus = focus
        self.language = language
        self.hintLevel = hintLevel
        self.of = of
        self.whenBusy = whenBusy
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
