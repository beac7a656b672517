// TransportLimits: the waits and bounds of the transport.
// Spec: docs/architecture.md (limits)

public import WireCore

/// The waits and bounds of the transport, the same for all connections of a server.
public struct TransportLimits: Sendable, Hashable {
    /// The bounds of a request head.
    public var http = HTTPLimits()
    /// The bounds of a WebSocket.
    public var webSocket = WebSocketLimits()
    /// How long a request head may take to its last byte: the first from the connection, a later one from its first
    /// byte.
    ///
    /// Default 10 s.
    ///
    /// For the whole head and not for each read: a peer that sends a byte a second gets no longer.
    public var headWait: Duration = .seconds(10)
    /// How long a connection may wait for its next request.
    ///
    /// Default 30 s.
    public var keepAliveWait: Duration = .seconds(30)
    /// How long an answer that is made elsewhere may take.
    ///
    /// Default 30 s.
    public var answerWait: Duration = .seconds(30)
    /// How long a WebSocket may be silent before it is pinged.
    ///
    /// Default 20 s, below the 60 s of usual proxies.
    public var pingAfter: Duration = .seconds(20)
    /// How long a pinged peer may stay silent before the TCP connection is dropped.
    ///
    /// Default 15 s.
    public var pongWait: Duration = .seconds(15)
    /// Answers to pipelined requests that may wait to be sent, in bytes; more closes the connection after them.
    ///
    /// Default 256 KiB.
    public var pipelinedBytes = 262_144
    /// How WebSocket messages are compressed when a client offers it.
    ///
    /// Default nil: not at all.
    public var compression: DeflatePolicy?
    /// Bytes that may wait for a peer that does not read.
    ///
    /// Default 1 MiB; more ends the connection.
    public var queueBytes = 1_048_576

    /// The defaults.
    public init() {}
}
