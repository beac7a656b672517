// ServerMessage: replies and passing states; everything the server sends that has no `seq`.
// Spec: docs/protocol.md §2-§5, §10

/// One message of the server that the log does not number.
///
/// Boxes are normalised; encoding turns them into the client's convention.
public enum ServerMessage: Sendable, Hashable {
    case bye(Bye)
    case error(ErrorMessage)
    case highlightUpdate(HighlightUpdate)
    case limit(LimitNotice)
    case ok(re: MessageID)
    case pong(re: MessageID?, t: Double?)
    case screenAck(ScreenAck)
    case screenResync(ScreenResync)
    case sessionSnapshot(SessionSnapshot)
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
