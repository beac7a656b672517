// ListeningSocket: a bound socket, before a shard takes it.
// Source: socket(7), SO_REUSEPORT

internal import CLinux
internal import Glibc
internal import Synchronization

/// A bound and listening socket, before a shard takes it.
///
/// Owns its descriptor until then.
public struct ListeningSocket: Sendable, ~Copyable {
    private var descriptor: Int32
    /// The address with the port that the system gave.
    public let address: ListenAddress

    /// Binds and listens.
    ///
    /// Several sockets may share an address: the kernel spreads connections over them.
    ///
    /// - Throws: ``NetError/systemCall(_:code:)``, with `EADDRINUSE` when another program listens there.
    public init(_ address: ListenAddress, isShared: Bool) throws(NetError) {
        let family = address.withSocketAddress { family, _, _ in family }
        let descriptor = chalkline_stream_socket(family)
        guard descriptor >= 0 else { throw .systemCall("socket", code: errno) }
        func fail(_ call: String) -> NetError {
            let code = errno
            close(descriptor)
            return .systemCall(call, code: code)
        }
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
        if isShared, setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size) != 0 { throw fail("setsockopt") }
        guard address.withSocketAddress({ bind(descriptor, $1, $2) }) == 0 else { throw fail("bind") }
        guard listen(descriptor, Self.backlog) == 0 else { throw fail("listen") }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { throw fail("getsockname") }
        self.descriptor = descriptor
        self.address = address.withPort(PeerAddress(storage).port)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Gives the descriptor away.
    consuming func take() -> Int32 {
        var socket = self
        defer { socket.descriptor = -1 }
        return socket.descriptor
    }

    /// Connections that may wait to be accepted.
    ///
    /// The kernel caps it at `net.core.somaxconn`.
    static let backlog: Int32 = 4_096
}

/// Carries a socket to the shard that takes it.
public final class SharedSocket: Sendable {
    /// The address with the port that the system gave.
    public let address: ListenAddress
    private let socket: Mutex<ListeningSocket?>

    init(_ socket: consuming ListeningSocket) {
        address = socket.address
        self.socket = Mutex(consume socket)
    }

    /// Gives the socket away.
    ///
    /// - Returns: The socket.
    /// - Throws: ``NetError/systemCall(_:code:)`` with `EBADF` when it was taken before.
    public func take() throws(NetError) -> ListeningSocket {
        guard let taken = socket.withLock({ $0.take() }) else { throw .systemCall("listen", code: EBADF) }
        return taken
    }
}

extension ListeningSocket {
    /// The same socket in a form that can cross to a shard.
    public consuming func shared() -> SharedSocket { SharedSocket(self) }
}
