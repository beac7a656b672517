// DiskStore: the store of StoreIO as hosting uses it.
// Spec: docs/reliability.md

internal import StoreIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol

/// The store of StoreIO as hosting uses it: one file in the data folder.
struct DiskStore: SessionStore {
    /// The store itself, for what only it can do: exports.
    let store: Store
    private let limits: StoreReadLimits

    /// Opens the file of a configuration; the caller waits for the disk.
    init(_ configuration: Configuration, log: Logger) throws(StoreError) {
        var settings = StoreSettings(folder: configuration.dataFolder)
        settings.retentionDays = configuration.retentionDays
        store = try Store.open(settings) { notice in
            let metadata: KeyValuePairs = ["kind": notice.kind.rawValue, "what": notice.message]
            if notice.isAlarm {
                log.error("store", metadata: metadata)
            } else {
                log.warning("store", metadata: metadata)
            }
        }
        let session = configuration.session
        limits = StoreReadLimits(
            entries: session.limits.logEvents, bytes: session.limits.logBytes, turns: session.rememberedAsks)
    }

    var isDegraded: Bool { store.isDegraded }

    func write(_ group: [SessionWrite], done: @escaping @Sendable (Bool) -> Void) {
        store.write(group) { done($0.isSuccess) }
    }

    func load(_ id: String, done: @escaping @Sendable (Result<StoredSession?, any Error>) -> Void) {
        store.load(id, limits: limits) { done($0.mapError { $0 as any Error }) }
    }

    func forget(session: String, done: @escaping @Sendable (Bool) -> Void) {
        store.forget(session: session) { done($0.isSuccess) }
    }

    func forget(subject: String, done: @escaping @Sendable (Bool) -> Void) {
        store.forget(subject: subject) { done($0.isSuccess) }
    }

    func addFeedback(
        session: String, turn: TurnID, value: Int, text: String?, at: Int64, done: @escaping @Sendable (Bool) -> Void
    ) {
        store.addFeedback(session: session, turn: turn, value: value, text: text, at: at) { done($0.isSuccess) }
    }

    /// Gives all records of a subject, as JSON; nil when they cannot be read.
    func export(subject: String, done: @escaping @Sendable ([UInt8]?) -> Void) {
        store.export(subject: subject) { done(try? $0.get()) }
    }

    func close(done: @escaping @Sendable () -> Void) { store.close(done: done) }
}

extension Result {
    /// Whether it went well.
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
