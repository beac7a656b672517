// Store: sessions on disk, behind a queue of its own.
// Spec: docs/reliability.md; docs/protocol.md §3 (durability), §8

internal import Dispatch
internal import Synchronization
public import TutorCore
public import TutorProtocol

/// Sessions on disk, behind a queue of its own.
///
/// Any thread may call it; no call waits for the disk. What is asked for is done in the order in which it was asked for,
/// and every `done` is called once, on the store's own queue. Whoever opened it closes it.
public final class Store: Sendable {
    /// The key that resume keys are derived from: 32 bytes, made at the first start and kept in the file.
    public let secret: [UInt8]

    let settings: StoreSettings
    private let worker: StoreWorker
    private let queue: DispatchQueue
    private let jobs: Mutex<StoreJobs>
    /// Whether a look at the idle time, or at the disk, is on its way.
    private let isIdleDue = Atomic<Bool>(false)
    private let isProbeDue = Atomic<Bool>(false)
    private let lastWrite = Atomic<Int64>(0)

    /// Opens the store of a folder, which is made when there is none; the caller waits for the disk.
    ///
    /// A damaged file is moved aside (`chalkline.sqlite.corrupt-<n>`) and a new one made, with a notice. Throws when the
    /// folder or file cannot be used at all, or is a newer version's. `log` is called on the caller's thread before this
    /// returns, later on the store's queue.
    public static func open(
        _ settings: StoreSettings, log: @escaping @Sendable (StoreNotice) -> Void
    ) throws(StoreError) -> Store {
        let worker = StoreWorker(settings, log: log)
        try worker.open()
        let store = Store(settings, worker)
        store.resumeErasing()
        store.keepRetention()
        return store
    }

    private init(_ settings: StoreSettings, _ worker: StoreWorker) {
        self.settings = settings
        self.worker = worker
        secret = worker.secret
        queue = DispatchQueue(label: "chalkline.store")
        jobs = Mutex(StoreJobs(maximumRows: settings.waitingRows, maximumRequests: settings.waitingRequests))
    }

    /// Whether the disk takes nothing at the moment.
    ///
    /// Any thread. It ends by itself: while it lasts, the store tries every two seconds.
    public var isDegraded: Bool { worker.isDegraded.load(ordering: .relaxed) }

    // MARK: Writing

    /// Writes a group: one transaction, on disk (synchronous FULL) when `done` has success; nothing of it on failure.
    ///
    /// Groups that wait together share a transaction. Fails with ``StoreError/overloaded`` when too much waits.
    public func write(_ group: [SessionWrite], done: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        let rows = group.reduce(0) { $0 + 1 + $1.turns.count + ($1.events.isEmpty ? 0 : 1) }
        let write = StoreJobs.Write(group: group, rows: rows, done: done)
        if let error = jobs.withLock({ $0.add(write) }) { return refuse(error, done) }
        wake()
    }

    /// Keeps what a student thinks of a turn: 1 or -1, and words if any; the newest counts.
    ///
    /// `at` is in milliseconds since 1970. ``StoreError/notFound`` when the session is not on disk.
    public func addFeedback(
        session: String, turn: TurnID, value: Int, text: String?, at moment: Int64,
        done: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        request(done) { (worker) throws(StoreError) in
            try worker.addFeedback(session: session, turn: turn, value: value, text: text, at: moment)
        }
    }

    // MARK: Reading

    /// Reads a session: nil when there is none.
    ///
    /// Its events run without a gap up to its `lastSeq`; where the log on disk has a gap, only what is after it.
    public func load(
        _ id: String, limits: StoreReadLimits = StoreReadLimits(),
        done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
    ) {
        request(done) { (worker) throws(StoreError) in try worker.load(id, limits: limits) }
    }

    /// Finishes what waits, empties the write-ahead log and closes the file; everything after it is refused.
    public func close(done: @escaping @Sendable () -> Void) {
        let isFirst = jobs.withLock { jobs in
            jobs.close { [self] in
                worker.endErasing(.failure(.closed))
                worker.close()
                done()
            }
        }
        if isFirst { wake() } else { queue.async(execute: done) }
    }

    // MARK: The queue

    /// Asks for something; `done` hears what came of it.
    func request<Value>(
        _ done: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (StoreWorker) throws(StoreError) -> Value
    ) {
        let error = jobs.withLock { jobs in
            jobs.add(request: { [worker] in
                do throws(StoreError) {
                    done(.success(try body(worker)))
                } catch {
                    done(.failure(error))
                }
            })
        }
        if let error { return refuse(error, done) }
        wake()
    }

    /// Lets the store do something by itself, after what waits now; false when it is closed.
    @discardableResult
    func upkeep(_ body: @escaping @Sendable (StoreWorker) -> Void) -> Bool {
        guard jobs.withLock({ jobs in jobs.add(upkeep: { [worker] in body(worker) }) }) else { return false }
        wake()
        return true
    }

    /// Lets the store do something by itself later; not when it is gone or closed by then.
    func upkeep(after milliseconds: Int, _ body: @escaping @Sendable (Store, StoreWorker) -> Void) {
        queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) { [weak self] in
            self?.upkeep { [weak self] worker in
                guard let self else { return }
                body(self, worker)
            }
        }
    }

    private func refuse<Value>(
        _ error: StoreError, _ done: @escaping @Sendable (Result<Value, StoreError>) -> Void
    ) {
        queue.async { done(.failure(error)) }
    }

    private func wake() { queue.async { self.runNext() } }

    private func runNext() {
        switch jobs.withLock({ $0.next() }) {
        case nil: return
        case .run(let body): body()
        case .write(let writes):
            let results = worker.write(writes.map(\.group))
            jobs.withLock { $0.finish(writes) }
            for (write, result) in zip(writes, results) { write.done(result) }
            lastWrite.store(StoreClock.steady(), ordering: .relaxed)
            emptyLogWhenIdle(after: settings.idleMilliseconds)
        }
        if isDegraded { probeLater() }
    }

    // MARK: By itself

    private func emptyLogWhenIdle(after milliseconds: Int) {
        guard !isIdleDue.exchange(true, ordering: .relaxed) else { return }
        upkeep(after: milliseconds) { store, worker in
            store.isIdleDue.store(false, ordering: .relaxed)
            let quiet = StoreClock.steady() - store.lastWrite.load(ordering: .relaxed)
            let left = Int64(store.settings.idleMilliseconds) - quiet
            if left > 0 { return store.emptyLogWhenIdle(after: Int(left)) }
            worker.truncateLog(patiently: false)
        }
    }

    private func probeLater() {
        guard !isProbeDue.exchange(true, ordering: .relaxed) else { return }
        upkeep(after: settings.probeMilliseconds) { store, worker in
            store.isProbeDue.store(false, ordering: .relaxed)
            if store.isDegraded { worker.probe() }
        }
    }
}
