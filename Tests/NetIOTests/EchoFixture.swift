// EchoFixture: a shard with an echo listener.

import NetIO
import Synchronization

/// A running shard whose listener echoes; counts what its handlers are told.
final class EchoFixture: Sendable {
    let shard: Shard
    let port: UInt16
    let ends = Mutex<[ConnectionEnd]>([])
    let endTimes = Mutex<[ContinuousClock.Instant]>([])
    let drains = Mutex<Int>(0)

    init(
        tls: TLSContext? = nil, _ behaviour: @escaping EchoHandler.Behaviour = EchoHandler.echo
    ) async throws {
        let socket = try ListeningSocket(ListenAddress("127.0.0.1:0"), isShared: false)
        port = socket.address.port
        shard = try Shard(index: 0)
        shard.start()
        let listening = ListeningHandOver(socket)
        try await Self.listen(listening, tls: tls, on: shard) { end in
            self.endTimes.withLock { $0.append(ContinuousClock().now) }
            self.ends.withLock { $0.append(end) }
        } drained: {
            self.drains.withLock { $0 += 1 }
        } behaviour: {
            behaviour
        }
    }

    deinit {
        shard.stop()
    }

    private static func listen(
        _ socket: ListeningHandOver, tls: TLSContext?, on shard: isolated Shard,
        ended: @escaping @Sendable (ConnectionEnd) -> Void, drained: @escaping @Sendable () -> Void,
        behaviour: @escaping @Sendable () -> EchoHandler.Behaviour
    ) throws {
        try Listener.start(socket.take(), tls: tls, on: shard) { _ in
            EchoHandler(behaviour: behaviour(), ended: ended, drained: drained)
        }
    }

    /// Waits until a number of connections have ended; false when that takes too long, with room for a machine at work.
    func waitForEnds(_ count: Int, within limit: Duration = .seconds(20)) async -> Bool {
        let deadline = ContinuousClock().now + limit
        while ends.withLock({ $0.count }) < count {
            guard ContinuousClock().now < deadline else { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
        return true
    }
}

/// Carries a non-copyable socket into a closure.
final class ListeningHandOver: Sendable {
    private let socket: Mutex<ListeningSocket?>

    init(_ socket: consuming ListeningSocket) { self.socket = Mutex(socket) }

    func take() throws -> ListeningSocket {
        let taken = socket.withLock { $0.take() }
        guard let taken else { throw NetError.invalidAddress("taken") }
        return taken
    }
}

final class EchoHandler: ConnectionHandler {
    typealias Behaviour = @Sendable (Connection, [UInt8], isolated Shard) -> Void

    static let echo: Behaviour = { connection, bytes, shard in
        connection.write(on: shard) { $0 += bytes }
    }

    private let behaviour: Behaviour
    private let ended: @Sendable (ConnectionEnd) -> Void
    private let drained: @Sendable () -> Void

    init(
        behaviour: @escaping Behaviour, ended: @escaping @Sendable (ConnectionEnd) -> Void,
        drained: @escaping @Sendable () -> Void
    ) {
        self.behaviour = behaviour
        self.ended = ended
        self.drained = drained
    }

    func connection(
        _ connection: Connection, received bytes: UnsafeMutableRawBufferPointer, on shard: isolated Shard
    ) {
        behaviour(connection, [UInt8](bytes), shard)
    }

    func connectionDrained(_ connection: Connection, on shard: isolated Shard) { drained() }

    func connectionEnded(_ connection: Connection, _ end: ConnectionEnd, on shard: isolated Shard) { ended(end) }
}
