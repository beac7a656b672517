// Server: the composition: shards, listeners, pages, sessions.
// Spec: docs/architecture.md

internal import Dispatch
internal import ModelIO
public import NetIO
internal import Synchronization
public import Telemetry
internal import TutorCore
internal import WireCore

/// A running server.
///
/// Start it with ``start(_:log:)``, end it with ``stop()``.
public final class Server: Sendable {
    /// Why a server did not start.
    public enum StartError: Error, Sendable, CustomStringConvertible {
        case files(StaticFiles.Fault)
        case model(String)
        case network(NetError)
        case tls(TLSError)

        /// One plain sentence.
        public var description: String {
            switch self {
            case .files(.fileTooLarge(let path, let limit)): "a page is over \(limit) bytes: \(path)"
            case .files(.unreadable(let path, let code)): "cannot read the pages: \(path): \(SystemError.text(code))"
            case .files(.tooLarge(let limit)): "the pages are over \(limit) bytes"
            case .files(.tooManyFiles(let limit)): "there are more than \(limit) pages"
            case .model(let reason): reason
            case .network(.systemCall(let call, let code)): "cannot listen: \(call): \(SystemError.text(code))"
            case .network(.invalidAddress(let text)): "not an address: \(text)"
            case .tls(let error): "TLS: \(error)"
            }
        }
    }

    /// Where it listens, with the port that the system gave.
    public let address: ListenAddress
    private let tls: TLSContext?
    private let group: ShardGroup
    private let isReady: ReadyFlag
    /// What each shard owns, so that it lives as long as the server.
    private let units: Mutex<[ShardUnit]>

    /// Where browsers find it.
    public var url: String { "\(tls == nil ? "http" : "https")://\(address)" }

    private init(address: ListenAddress, tls: TLSContext?, group: ShardGroup, isReady: ReadyFlag) {
        self.address = address
        self.tls = tls
        self.group = group
        self.isReady = isReady
        units = Mutex([])
    }

    /// Binds, loads certificates and pages, starts the shards and returns when all of them listen.
    ///
    /// - Throws: ``StartError``.
    public static func start(_ configuration: Configuration, log: Logger) async throws(StartError) -> Server {
        let files: StaticFiles
        do throws(StaticFiles.Fault) {
            files = try StaticFiles(folder: configuration.publicFolder)
        } catch {
            throw .files(error)
        }
        let tls: TLSContext?
        do throws(TLSError) {
            let certificates = Array(zip(configuration.tlsCertificates, configuration.tlsKeys))
            tls = certificates.isEmpty ? nil : try TLSContext(certificates: certificates)
        } catch {
            throw .tls(error)
        }
        do {
            let group = try ShardGroup(count: configuration.shards)
            let (address, sockets) = try listen(configuration.listen, count: group.shards.count)
            let server = Server(address: address, tls: tls, group: group, isReady: ReadyFlag())
            let places = ConnectionPlaces(limit: configuration.connections)
            let origins = OriginPolicy(
                own: address, isSecure: tls != nil, allowed: configuration.allowedOrigins)
            for (shard, socket) in zip(group.shards, sockets) {
                let unit = try await ShardUnit.start(
                    configuration, files: files, origins: origins, socket: socket, tls: tls,
                    isReady: server.isReady, places: places, log: log, on: shard)
                server.units.withLock { $0.append(unit) }
            }
            server.isReady.set(true)
            return server
        } catch let error as NetError {
            throw .network(error)
        } catch {
            throw .model("\(error)")
        }
    }

    /// One socket a shard.
    ///
    /// Shared sockets would also be shared with another server on the port, silently; so the first is bound for itself,
    /// to find out whether the port is taken.
    private static func listen(
        _ wanted: ListenAddress, count: Int
    ) throws(NetError) -> (address: ListenAddress, sockets: [SharedSocket]) {
        let first = try ListeningSocket(wanted, isShared: false).shared()
        let address = first.address
        guard count > 1 else { return (address, [first]) }
        _ = consume first
        var sockets: [SharedSocket] = []
        for _ in 0..<count { sockets.append(try ListeningSocket(address, isShared: true).shared()) }
        return (address, sockets)
    }

    /// Reads the certificates' files again; connections accepted from now on get what they hold, the others go on.
    ///
    /// Does nothing without TLS. Blocks on the files: not for a shard.
    ///
    /// - Throws: `TLSError`, which names the file; the certificates loaded before stay in use.
    public func reloadCertificates() throws(TLSError) {
        try tls?.reload()
    }

    /// Stops accepting, aborts model calls and ends the shards.
    public func stop() async {
        isReady.set(false)
        for unit in units.withLock({ $0 }) { await unit.stop() }
        group.stop()
    }

    /// Whether new work is welcome; read by every shard.
    final class ReadyFlag: Sendable {
        private let flag = Atomic<Bool>(false)

        var isSet: Bool { flag.load(ordering: .relaxed) }

        func set(_ value: Bool) { flag.store(value, ordering: .relaxed) }
    }
}

/// What one shard owns of the server.
private final class ShardUnit: Sendable {
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
        _ configuration: Configuration, files: StaticFiles, origins: OriginPolicy, socket: SharedSocket,
        tls: TLSContext?, isReady: Server.ReadyFlag, places: ConnectionPlaces, log: Logger, on shard: isolated Shard
    ) throws -> ShardUnit {
        let services = try ShardServices(configuration, log: log, on: shard)
        let web = TutorWebService(
            files: files, origins: origins, services: services, strictTransport: configuration.strictTransport
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

    func stop() async { await stop(on: shard) }

    private func stop(on shard: isolated Shard) {
        listener.stop(on: shard)
        services.shutDown(on: shard)
    }
}

/// Connections of the process, over all shards: the kernel does not spread them evenly.
private final class ConnectionPlaces: Sendable {
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
        var response = HTTPResponse(status: .unavailable, text: "too many connections")
        response.headers.add("Retry-After", "5")
        return .refusal(response)
    }
}
