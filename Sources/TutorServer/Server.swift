// Server: the composition: shards, listeners, pages, sessions.
// Spec: docs/architecture.md

internal import Dispatch
internal import ModelIO
public import NetIO
internal import StoreIO
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
        case store(String)
        case tokens(ConfigurationError)
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
            case .store(let reason): "cannot keep sessions in the data folder: \(reason)"
            case .tokens(let error): "tokens: \(error)"
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
    private let commons: ServerCommons
    private let end: Drain

    /// Where browsers find it.
    public var url: String { "\(tls == nil ? "http" : "https")://\(address)" }

    private init(
        address: ListenAddress, tls: TLSContext?, group: ShardGroup, isReady: ReadyFlag, commons: ServerCommons,
        end: Drain
    ) {
        self.address = address
        self.tls = tls
        self.group = group
        self.isReady = isReady
        self.commons = commons
        self.end = end
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
        let commons = try openCommons(configuration, log: log)
        do {
            let group = try ShardGroup(count: configuration.shards)
            let (address, sockets) = try listen(configuration.listen, count: group.shards.count)
            let server = Server(
                address: address, tls: tls, group: group, isReady: ReadyFlag(), commons: commons,
                end: Drain(wait: configuration.drainWait, log: log))
            let ports = group.shards.map { ShardPort($0) }
            let places = ConnectionPlaces(limit: configuration.connections)
            let gate = WebGate(
                origins: OriginPolicy(own: address, isSecure: tls != nil, allowed: configuration.allowedOrigins),
                proxies: TrustedProxies(configuration.tokens.trustedProxies))
            for (index, shard) in group.shards.enumerated() {
                let unit = try await ShardUnit.start(
                    configuration, commons: commons, port: ports[index], files: files, gate: gate,
                    socket: sockets[index], tls: tls, isReady: server.isReady, places: places, log: log, on: shard)
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

    /// Opens the store of the data folder, if there is one.
    private static func openCommons(
        _ configuration: Configuration, log: Logger
    ) throws(StartError) -> ServerCommons {
        let auth: CurrentAuthenticator
        do throws(ConfigurationError) {
            auth = CurrentAuthenticator(try configuration.tokens.authenticator())
        } catch {
            throw .tokens(error)
        }
        guard !configuration.dataFolder.isEmpty else {
            return ServerCommons(
                directory: SessionDirectory(), store: nil, keys: ResumeKeys(secret: ResumeKeys.randomSecret()),
                auth: auth, records: nil)
        }
        do throws(StoreError) {
            let disk = try DiskStore(configuration, log: log)
            return ServerCommons(
                directory: SessionDirectory(), store: disk, keys: ResumeKeys(secret: disk.store.secret), auth: auth,
                records: disk.export)
        } catch {
            throw .store("\(error)")
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

    /// Puts the token keys and rules of a configuration in the place of those in force.
    ///
    /// Who is connected stays so until the token ends. Blocks on the files: not for a shard.
    ///
    /// - Throws: `ConfigurationError`; the old keys then stay. A server with tokens does not become one without, nor the
    ///   other way round.
    public func reloadTokens(_ configuration: Configuration) throws(ConfigurationError) {
        let next = try configuration.tokens.authenticator()
        guard next.isOpen == commons.auth.value.isOpen else {
            throw .conflict("tokens are not switched on or off while the server runs")
        }
        commons.auth.replace(with: next)
    }

    /// Ends without losing anything: accepts nobody any more, says farewell, waits for the answers in flight, closes,
    /// writes what is left.
    ///
    /// Takes as long as the setting `drain_ms` and a few seconds at most; ``hurry()`` cuts that short. Call it once, and
    /// not ``stop()`` as well.
    public func drain() async {
        isReady.set(false)
        await end.finish(units.withLock { $0 })
        await stop()
    }

    /// Has a ``drain()`` wait for answers no longer.
    public func hurry() { end.hurry() }

    /// Ends now: closes connections, aborts model calls, writes what is left and ends the shards.
    public func stop() async {
        isReady.set(false)
        let units = units.withLock { $0 }
        await end.cut(units, commons.store)
        for unit in units { await unit.stop() }
        group.stop()
    }

    /// Whether new work is welcome; read by every shard.
    final class ReadyFlag: Sendable {
        private let flag = Atomic<Bool>(false)

        var isSet: Bool { flag.load(ordering: .relaxed) }

        func set(_ value: Bool) { flag.store(value, ordering: .relaxed) }
    }
}
