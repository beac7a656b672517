// ShardUnit: what one shard owns of the server.
// Spec: docs/architecture.md (shards)

internal import NetIO
internal import Synchronization
internal import Telemetry
internal import WireCore

/// What one shard owns of the server.
final class ShardUnit: Sendable {
    private let shard: Shard
    // Confined to the shard: made on it, and touched only by code that runs on it.
    private nonisolated(unsafe) let listener: Listener
    // Confined to the shard, as the listener.
    private nonisolated(unsafe) let services: ShardServices

    private init(shard: Shard, listener: Listener, services: ShardServices) {
        self.shard = shard
        self.listener = listener
        self.services = services
    }

    static func start(
        _ configuration: Configuration, commons: ServerCommons, port: ShardPort, files: StaticFiles,
        gate: WebGate, socket: SharedSocket, tls: TLSContext?, isReady: Server.ReadyFlag,
        places: ConnectionPlaces, log: Logger, on shard: isolated Shard
    ) throws -> ShardUnit {
        let services = try ShardServices(configuration, commons: commons, port: port, log: log, on: shard)
        let web = TutorWebService(
            files: files, gate: gate, services: services, strictTransport: configuration.strictTransport
        ) { isReady.isSet }
        let deflate = configuration.transport.compression.map { DeflatePool(policy: $0) }
        let listener = try Listener.start(socket.take(), tls: tls, on: shard) { connection in
            let service: any WebService = places.take() ? web : OverloadedService()
            return HTTPChannel(
                connection, service: service, limits: configuration.transport, deflate: deflate, on: shard
            ) { places.giveBack() }
        }
        return ShardUnit(shard: shard, listener: listener, services: services)
    }

    // MARK: The end

    /// Accepts nobody any more and says farewell to every client.
    func beginDrain() async { await beginDrain(on: shard) }

    /// Closes what has nothing in flight; true when there is nothing left to wait for.
    func drainStep() async -> Bool { await drainStep(on: shard) }

    /// Closes every WebSocket.
    func cutConnections() async { await cutConnections(on: shard) }

    /// Whether all WebSockets are gone.
    func hasNoConnections() async -> Bool { await hasNoConnections(on: shard) }

    /// Whether the store has everything.
    func isWritten() async -> Bool { await isWritten(on: shard) }

    /// Gives back sockets, connections and model calls.
    func stop() async { await stop(on: shard) }

    private func beginDrain(on shard: isolated Shard) {
        listener.stop(on: shard)
        services.beginDrain(on: shard)
    }

    private func drainStep(on shard: isolated Shard) -> Bool { services.drainStep(on: shard) }

    private func cutConnections(on shard: isolated Shard) { services.cutConnections(on: shard) }

    private func hasNoConnections(on shard: isolated Shard) -> Bool { services.connections.isEmpty }

    private func isWritten(on shard: isolated Shard) -> Bool { services.isWritten }

    private func stop(on shard: isolated Shard) {
        listener.stop(on: shard)
        shard.closeConnections()
        services.shutDown(on: shard)
    }
}

/// Connections of the process, over all shards: the kernel does not spread them evenly.
final class ConnectionPlaces: Sendable {
    private let limit: Int
    private let count = Atomic<Int>(0)

    init(limit: Int) { self.limit = limit }

    /// Counts a connection; false when there are more than the limit.
    func take() -> Bool { count.wrappingAdd(1, ordering: .relaxed).newValue <= limit }

    /// Counts the end of a connection, also of one over the limit.
    func giveBack() { count.wrappingSubtract(1, ordering: .relaxed) }
}

/// Answers while the process has as many connections as it may.
private final class OverloadedService: WebService {
    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer {
        .refusal(HTTPResponse.comeAgain(in: 5, "too many connections"))
    }
}
