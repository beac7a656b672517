// Outbox: how far a connection is with its session's log, and what waits behind it.
// Spec: docs/architecture.md (back-pressure)

internal import TutorCore
internal import TutorProtocol

/// How far a connection is with its session's log, and what waits behind it.
///
/// The log is the queue: what the socket does not take stays there, and leaves merged when it does.
struct Outbox {
    /// A reply or a repeated event, in its place behind the log.
    struct Waiting {
        enum Item {
            case event(EventLog.Merged)
            /// With the client's convention as it is at this place: a later snapshot may bring another size.
            case message(ServerMessage, CoordinateMapper)
        }

        /// The event that it follows.
        var after: Int64
        var item: Item
    }

    /// Where the connection's messages go; nil without a connection, and once it is given up.
    var channel: WebSocketChannel?
    var encoder = EventEncoder()
    /// The last event of the session.
    var appendedSeq: Int64 = 0
    /// The last event that was handed to the socket; nil until the connection follows the log.
    var sentSeq: Int64?
    /// What waits behind events that have not left yet.
    var waiting: [Waiting] = []
    /// Bytes of text in events that have not left yet, about.
    var unsentBytes = 0
    /// Whether a look at what is left is scheduled.
    var looksAgain = false
    /// Whether the session's model calls are held back for this reader.
    var isPausing = false

    /// Whether a reply may leave before any event: everything so far has left, or the connection does not follow yet.
    var hasSentAll: Bool { waiting.isEmpty && (sentSeq == nil || sentSeq == appendedSeq) }

    /// Ends what belongs to one connection.
    mutating func clear() {
        channel = nil
        sentSeq = nil
        waiting = []
        unsentBytes = 0
        isPausing = false
    }
}

extension TurnEvent {
    /// About how many bytes it has on the wire.
    var sizeOnWire: Int {
        switch self {
        case .answerDelta(let delta): delta.text.utf8.count
        case .turnEnd(let end): end.answer.utf8.count + 256
        case .highlight, .nextAction, .stepObserved, .turnStart: 256
        }
    }
}
