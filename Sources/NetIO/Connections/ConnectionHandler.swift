// ConnectionHandler: what a connection tells its owner.

/// What a connection tells its owner.
///
/// Confined to the connection's shard.
public protocol ConnectionHandler: AnyObject {
    /// Bytes came in.
    ///
    /// They lie in a buffer of the shard: they may be changed in place and are gone on return. With TLS they are
    /// plaintext.
    func connection(
        _ connection: Connection, received bytes: UnsafeMutableRawBufferPointer, on shard: isolated Shard)

    /// Everything written so far is with the kernel, after some of it had to wait.
    func connectionDrained(_ connection: Connection, on shard: isolated Shard)

    /// The connection is over.
    ///
    /// Called once, last.
    func connectionEnded(_ connection: Connection, _ end: ConnectionEnd, on shard: isolated Shard)
}

/// How a connection ended.
public enum ConnectionEnd: Sendable, Hashable {
    /// The peer closed its side in order.
    case closedByPeer
    /// We closed it.
    case closedByServer
    /// The system reported an error; the code is `errno`.
    case failed(code: Int32)
    /// More waited to be sent than the limit allows.
    case overflowed
    /// TLS failed.
    case tls(TLSFailure)
}
