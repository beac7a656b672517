// ShardServices: what the sessions of one shard share.

internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol

/// What the sessions of one shard share: settings, the model, the way to the store, random numbers.
///
/// Confined to its shard.
final class ShardServices {
    let configuration: Configuration
    let commons: ServerCommons
    let port: ShardPort
    let decoder: MessageDecoder
    let log: Logger
    let calls: ModelCalls
    /// Nil: sessions live in memory only.
    private(set) lazy var writer = commons.store.map {
        StoreWriter($0, services: self, port: port, patience: configuration.storeWait)
    }
    private(set) lazy var resumes = SessionResumes(self)
    private(set) lazy var exports = RecordExports(self)
    /// Sessions alive on this shard, those without a connection included.
    private(set) var sessions: [String: SessionHost] = [:]
    /// Its open WebSockets.
    var connections: [ObjectIdentifier: StudentConnection] = [:]
    /// Whether the process is about to end: no new work begins.
    var isDraining = false
    /// Expired sessions that wait for their last write.
    private var lingering: Set<String> = []
    private var random = SystemRandomNumberGenerator()

    init(
        _ configuration: Configuration, commons: ServerCommons, port: ShardPort, log: Logger, on shard: isolated Shard
    ) throws {
        self.configuration = configuration
        self.commons = commons
        self.port = port
        self.log = log
        decoder = MessageDecoder(limits: configuration.session.limits)
        calls = try ModelCalls(configuration.model, port: port, log: log, on: shard)
        port.open(self, on: shard)
    }

    /// Stops the model; sessions end with their connections.
    func shutDown(on shard: isolated Shard) { calls.shutDown(on: shard) }

    // MARK: Sessions

    /// Takes in a session that has just begun.
    func add(_ host: SessionHost) {
        sessions[host.id] = host
        commons.directory.add(host.id, at: port)
    }

    /// Takes in a session that this shard has claimed.
    func adopt(_ host: SessionHost) {
        sessions[host.id] = host
        commons.directory.settle(host.id, at: port)
    }

    /// Lets a session go to the shard that has claimed it.
    func depart(_ host: SessionHost) {
        sessions[host.id] = nil
        lingering.remove(host.id)
    }

    /// Frees a session.
    func remove(_ host: SessionHost) {
        depart(host)
        commons.directory.remove(host.id)
    }

    /// Whether an expired session may wait for its last write, as long as there are not too many of them.
    func mayLinger(_ host: SessionHost) -> Bool {
        if lingering.contains(host.id) { return true }
        guard lingering.count < Self.lingeringLimit else {
            log.error("an expired session is freed before its last write", metadata: ["session": host.id])
            return false
        }
        lingering.insert(host.id)
        return true
    }

    /// A name that nobody can guess: a prefix and 22 characters that carry 131 bits.
    func mintName(_ prefix: String) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let bytes = (0..<22).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
        return prefix + String(decoding: bytes, as: UTF8.self)
    }

    func seed() -> UInt64 { random.next() }

    /// A time up to a bound, so that many clients do not come at once.
    func spread(_ bound: Duration) -> Int { Int.random(in: 0...max(0, bound.wholeMilliseconds), using: &random) }

    // MARK: Limits

    /// Most expired sessions that wait for a disk which takes nothing, a shard.
    static let lingeringLimit = 4_096
}
