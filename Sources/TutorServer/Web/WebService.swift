// WebService: what the transport asks of the program behind it.

public import NetIO
public import WireCore

/// Answers HTTP requests, and takes over those that become WebSockets.
///
/// Confined to one shard.
public protocol WebService: AnyObject {
    /// Decides about a request whose head is complete and that has no body.
    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer
}

/// What becomes of a request.
public enum WebAnswer {
    /// An answer after which the connection closes.
    case refusal(HTTPResponse)
    /// An answer; the connection may go on.
    case response(HTTPResponse)
    /// An answer that comes later: the closure is called at once with what is to be called, on the shard, when it is there.
    ///
    /// The connection closes after it; what comes meanwhile is not looked at.
    case eventually((_ answer: @escaping (HTTPResponse) -> Void) -> Void)
    /// The connection becomes a WebSocket.
    case upgrade(WebSocketHandshake, subprotocol: String?, any WebSocketApplication)
}

/// Talks over one WebSocket.
///
/// Confined to its shard.
public protocol WebSocketApplication: AnyObject {
    /// The WebSocket is open; messages may be sent from now on.
    func opened(_ channel: WebSocketChannel, on shard: isolated Shard)

    /// A text message came. The bytes are checked UTF-8, lie in the shard's read buffer and are gone on return.
    func received(_ text: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard)

    /// A binary message came; the bytes are gone on return.
    func receivedBinary(_ bytes: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard)

    /// A message over the limit came; nothing of it was kept.
    func receivedOversized(byteCount: Int, isText: Bool, from channel: WebSocketChannel, on shard: isolated Shard)

    /// Everything sent is with the kernel, after some of it had to wait.
    func drained(_ channel: WebSocketChannel, on shard: isolated Shard)

    /// The WebSocket is over. Comes once, last.
    func closed(_ channel: WebSocketChannel, _ closure: WebSocketClosure, on shard: isolated Shard)
}
