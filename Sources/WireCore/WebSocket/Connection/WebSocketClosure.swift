// WebSocketClosure: how a WebSocket ended.
// Spec: RFC 6455 §7.1

/// How a WebSocket ended.
///
/// Each connection reports exactly one.
public struct WebSocketClosure: Sendable, Hashable {
    /// What ended it.
    public enum Cause: Sendable, Hashable {
        /// We sent a close frame first, and the peer answered or the wait for its answer passed.
        case local

        /// The peer sent a close frame first; it was answered.
        case peer

        /// The TCP connection ended before a close frame came.
        case vanished

        /// The peer broke a rule; it was told the number.
        case violation(WebSocketError)
    }

    /// The number: the peer's (`.noStatus` when its frame had none), ours after a violation or when the peer never
    /// answered, `.abnormal` when it vanished.
    public var code: CloseCode

    /// What ended it.
    public var cause: Cause
}

/// What the owner of the TCP connection has to do now.
public enum TransportStep: Sendable, Hashable {
    /// A close frame is in the output; go on reading and call `deadlinePassed` at `deadline`.
    case awaitPeerClose

    /// Write what is in the output, shut down the sending side, read and discard until the end or for at most
    /// `drain`, then close. Closing at once would send a reset that may overtake the close frame.
    case finish(drain: Duration)

    /// Nothing special: read and write.
    case proceed
}
