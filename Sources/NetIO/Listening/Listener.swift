// Listener: accepts connections on its shard.

internal import CLinux
internal import Glibc

/// Accepts connections on its shard and gives each a handler.
///
/// When descriptors run out it pauses for 100 ms instead of spinning: the pending connection stays readable in a
/// level-triggered loop, which would otherwise wake at once, for ever. One spare descriptor is kept so that the peer at
/// the head of the queue is told (by a close) instead of left waiting.
public final class Listener: DescriptorHandler {
    private let descriptor: Int32
    private var token: DescriptorToken?
    private var isClosed = false
    private var spare: Int32
    private let tls: (context: TLSContext, pipe: TLSPipe)?
    private let accepted: (Connection) -> any ConnectionHandler

    private init(
        descriptor: Int32, tls: (context: TLSContext, pipe: TLSPipe)?,
        accepted: @escaping (Connection) -> any ConnectionHandler
    ) {
        self.descriptor = descriptor
        self.tls = tls
        self.accepted = accepted
        spare = Self.openSpare()
    }

    deinit {
        if !isClosed { Glibc.close(descriptor) }
        if spare >= 0 { Glibc.close(spare) }
    }

    /// Starts accepting on a shard.
    ///
    /// - Parameters:
    ///   - socket: The bound socket.
    ///   - context: The certificates when connections speak TLS; default nil: plain TCP. A handshake has no deadline of its
    ///     own: a handler's wait for its first bytes covers it.
    ///   - shard: The shard that will own every connection accepted.
    ///   - accepted: Makes the handler of a new connection, which has not read anything yet.
    /// - Returns: The listener; the shard keeps it too, until ``stop(on:)``.
    /// - Throws: ``NetError/systemCall(_:code:)`` when epoll refuses the socket.
    @discardableResult
    public static func start(
        _ socket: consuming ListeningSocket, tls context: TLSContext? = nil, on shard: isolated Shard,
        accepted: @escaping (Connection) -> any ConnectionHandler
    ) throws(NetError) -> Listener {
        var tls: (context: TLSContext, pipe: TLSPipe)?
        if let context {
            guard let pipe = TLSPipe() else { throw .systemCall("BIO_new", code: ENOMEM) }
            tls = (context, pipe)
        }
        let listener = Listener(descriptor: socket.take(), tls: tls, accepted: accepted)
        listener.token = try shard.register(listener.descriptor, for: .readable, handler: listener)
        return listener
    }

    /// Stops accepting and closes the socket, so that another process may listen there; connections that were accepted
    /// go on.
    public func stop(on shard: isolated Shard) {
        guard let token else { return }
        shard.unregister(descriptor, token: token)
        self.token = nil
        isClosed = true
        Glibc.close(descriptor)
    }

    /// Called by the shard.
    public func ready(_ readiness: Readiness, on shard: isolated Shard) {
        for _ in 0..<Self.acceptsPerBatch {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let client = withUnsafeMutablePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    chalkline_accept(descriptor, $0, &length)
                }
            }
            if client >= 0 {
                adopt(client, peer: PeerAddress(storage), on: shard)
                continue
            }
            let code = errno
            switch code {
            case EAGAIN: return
            // Faults of the one connection at the head of the queue (accept(2)): the next may be good.
            case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, EHOSTUNREACH, ENETUNREACH, ETIMEDOUT: continue
            default: return pause(isOutOfDescriptors: code == EMFILE || code == ENFILE, on: shard)
            }
        }
    }

    private func adopt(_ client: Int32, peer: PeerAddress, on shard: isolated Shard) {
        var on: Int32 = 1
        setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        let session = tls.flatMap { $0.context.makeSession($0.pipe) }
        guard tls == nil || session != nil else {
            Glibc.close(client)
            return
        }
        let connection = Connection(descriptor: client, peer: peer, tls: session)
        connection.handler = accepted(connection)
        do throws(NetError) {
            try connection.start(on: shard)
        } catch {
            connection.abort(on: shard)
        }
    }

    private func pause(isOutOfDescriptors: Bool, on shard: isolated Shard) {
        if isOutOfDescriptors, spare >= 0 {
            // Take one connection with the spare descriptor and close it: its peer learns at once.
            Glibc.close(spare)
            let client = accept(descriptor, nil, nil)
            if client >= 0 { Glibc.close(client) }
            spare = Self.openSpare()
        }
        guard let token else { return }
        shard.modify(descriptor, token: token, interest: [])
        _ = shard.schedule(after: Self.pauseTime) { [weak self] in
            guard let self, let token = self.token else { return }
            if self.spare < 0 { self.spare = Self.openSpare() }
            shard.modify(self.descriptor, token: token, interest: .readable)
        }
    }

    private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }

    /// Most connections accepted in one batch, so that those at work are not starved by a storm.
    static let acceptsPerBatch = 64
    /// How long accepting pauses when descriptors run out.
    static let pauseTime = Duration.milliseconds(100)
}
