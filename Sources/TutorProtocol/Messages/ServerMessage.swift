// ServerMessage: replies and passing states; everything the server sends that has no `seq`.
// Spec: docs/protocol.md §2-§5, §10

/// One message of the server that the log does not number.
///
/// Boxes are normalised; encoding turns them into the client's convention.
public enum ServerMessage: Sendable, Hashable {
    case bye(Bye)
    case error(ErrorMessage)
    case highlightUpdate(HighlightUpdate)
    case ok(re: MessageID)
    case pong(re: MessageID?, t: Double?)
    case screenAck(ScreenAck)
    case screenResync(ScreenResync)
    case turnState(TurnID, TurnState)
    case welcome(Welcome)
}

/// What a running turn is doing.
public enum TurnState: String, Sendable, Hashable, CaseIterable {
    case answering
    case queued
    case repairing
    case thinking
}

/// `error`: a message could not be followed; it changed nothing.
public struct ErrorMessage: Sendable, Hashable {
    /// The message that it is about.
    public var re: MessageID?
    /// What kind of fault.
    public var code: ErrorCode
    /// One plain sentence; holds no payload, key or path of the server.
    public var message: String
    /// The field, such as `elements[3].box`.
    public var path: String?
    /// When to try again, in milliseconds.
    public var retryMilliseconds: Int?
    /// Whether the server closes the socket after it.
    public var isFatal: Bool

    /// Makes an error.
    public init(
        re: MessageID? = nil, code: ErrorCode, message: String, path: String? = nil, retryMilliseconds: Int? = nil,
        isFatal: Bool = false
    ) {
        self.re = re
        self.code = code
        self.message = message
        self.path = path
        self.retryMilliseconds = retryMilliseconds
        self.isFatal = isFatal
    }
}

/// `welcome`: the answer to `hello`.
public struct Welcome: Sendable, Hashable {
    /// How much of an earlier session goes on.
    public enum Resumed: String, Sendable, Hashable, CaseIterable {
        case new
        case replay
        case snapshot
    }

    /// Why a resume became a new session.
    public enum WhyNew: String, Sendable, Hashable, CaseIterable {
        case expired
        case unknown
    }

    /// The message that it answers.
    public var re: MessageID?
    /// The session's id.
    public var session: String
    /// The key to resume it with; a secret.
    public var key: String
    /// The epoch that `seq` counts in.
    public var epoch: String
    /// How much goes on.
    public var resumed: Resumed
    /// Why not, where a resume was asked for.
    public var why: WhyNew?
    /// The newest `seq`; 0 for none.
    public var lastSeq: Int64
    /// The screen that the server has; 0 for none.
    public var screenRevision: Int64
    /// The bounds in force.
    public var limits: Limits
    /// The server's version.
    public var version: String

    /// Makes a welcome.
    public init(
        re: MessageID? = nil, session: String, key: String, epoch: String, resumed: Resumed, why: WhyNew? = nil,
        lastSeq: Int64, screenRevision: Int64, limits: Limits, version: String
    ) {
        self.re = re
        self.session = session
        self.key = key
        self.epoch = epoch
        self.resumed = resumed
        self.why = why
        self.lastSeq = lastSeq
        self.screenRevision = screenRevision
        self.limits = limits
        self.version = version
    }
}

/// `screen.ack`: the server has the screen.
public struct ScreenAck: Sendable, Hashable {
    /// The message that it answers.
    public var re: MessageID?
    /// The revision that the server has now.
    public var revision: Int64
    /// Elements on it.
    public var elements: Int
    /// The ids the server gave, in the order sent, for a snapshot that wanted them.
    public var ids: [ElementID]?

    /// Makes an ack.
    public init(re: MessageID? = nil, revision: Int64, elements: Int, ids: [ElementID]? = nil) {
        self.re = re
        self.revision = revision
        self.elements = elements
        self.ids = ids
    }
}

/// `screen.resync`: the server needs a snapshot.
public struct ScreenResync: Sendable, Hashable {
    /// Why the server could not follow.
    public enum Why: String, Sendable, Hashable, CaseIterable {
        case gap
        case limit
        case unknownID = "unknown_id"
    }

    /// The message that it answers.
    public var re: MessageID?
    /// The revision that the server has.
    public var revision: Int64
    /// Why.
    public var why: Why

    /// Makes a request for a snapshot.
    public init(re: MessageID? = nil, revision: Int64, why: Why) {
        self.re = re
        self.revision = revision
        self.why = why
    }
}

/// `highlight.update`: a target moved, or is gone.
public struct HighlightUpdate: Sendable, Hashable {
    /// Why a ring goes away.
    public enum Why: String, Sendable, Hashable, CaseIterable {
        case hidden
        case removed
        case stale
    }

    /// The turn.
    public var turn: TurnID
    /// The element.
    public var element: ElementID
    /// Its newest box, normalised; nil when the ring goes away.
    public var box: Box?
    /// The revision the box is of.
    public var revision: Int64
    /// Why it goes away.
    public var why: Why?

    /// Makes an update.
    public init(turn: TurnID, element: ElementID, box: Box?, revision: Int64, why: Why? = nil) {
        self.turn = turn
        self.element = element
        self.box = box
        self.revision = revision
        self.why = why
    }
}

/// `bye`: the server is about to close by its own will.
public struct Bye: Sendable, Hashable {
    /// Why.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        case drain
        case expiry
        case idle
        case policy
        case replaced
    }

    /// Why.
    public var reason: Reason
    /// When to come back, in milliseconds; spread so that clients come back spread.
    public var inMilliseconds: Int
    /// Whether the session can be resumed.
    public var resumable: Bool

    /// Makes a farewell.
    public init(reason: Reason, inMilliseconds: Int, resumable: Bool) {
        self.reason = reason
        self.inMilliseconds = inMilliseconds
        self.resumable = resumable
    }
}
