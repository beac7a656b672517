// StoreWorker: the connection to the file, and what becomes of it when the disk fails.
// Spec: docs/reliability.md (writing)

internal import CSQLite
internal import Synchronization

/// The connection to the file, and what becomes of it when the disk fails.
///
/// Everything here runs on the store's queue, but ``isDegraded``; that is why it may be handed between threads.
final class StoreWorker: @unchecked Sendable {
    let settings: StoreSettings
    let files: StoreFiles
    /// The key that resume keys are derived from.
    private(set) var secret: [UInt8] = []
    /// Whether the disk takes nothing at the moment; any thread.
    let isDegraded = Atomic<Bool>(false)
    /// Who waits for everything that is to be erased to be gone.
    var erasing: [@Sendable (Result<Void, StoreError>) -> Void] = []
    /// Whether slices of an erasure are under way.
    var isErasing = false

    private let log: @Sendable (StoreNotice) -> Void
    private var database: SQLiteDatabase?
    private var lastNotice: [StoreNotice.Kind: Int64] = [:]
    private var lastQuarantine: Int64?
    private var lastConnect: Int64 = .min

    /// Bytes of the secret.
    static let secretBytes = 32

    init(_ settings: StoreSettings, log: @escaping @Sendable (StoreNotice) -> Void) {
        self.settings = settings
        self.log = log
        files = StoreFiles(folder: settings.folder)
    }

    // MARK: Opening

    /// Opens the file; one that is damaged is moved aside first.
    func open() throws(StoreError) {
        do {
            try connect()
        } catch .corrupt {
            try moveAside()
            try connect()
        }
    }

    /// Ends the connection; SQLite empties the write-ahead log if nobody else reads it.
    func close() {
        truncateLog(patiently: true)
        database = nil
    }

    private func connect() throws(StoreError) {
        database = nil
        try files.prepare()
        let database = try SQLiteDatabase(path: files.path, faults: settings.faults)
        do throws(StoreError) {
            try configure(database)
        } catch .failed {
            // Plain settings are refused only where the file's head is not one that SQLite knows.
            throw .corrupt
        }
        // The secret outlives damage elsewhere in the file, so that clients can prove who they are.
        if secret.isEmpty { secret = (try? readSecret(database)) ?? [] }
        if files.size() <= settings.checkedBytes {
            guard try database.text("PRAGMA quick_check(1)") == "ok" else { throw StoreError.corrupt }
        }
        try Schema.migrate(database, by: settings.migrations)
        // A damaged version number makes SQLite read only for ever.
        if database.isReadOnly, files.isWritable { throw StoreError.corrupt }
        try keepSecret(in: database)
        self.database = database
    }

    private func configure(_ database: SQLiteDatabase) throws(StoreError) {
        try database.run("PRAGMA journal_mode = WAL")
        try database.run("PRAGMA synchronous = FULL")
        try database.run("PRAGMA wal_autocheckpoint = 1000")
        try database.run("PRAGMA journal_size_limit = \(settings.walBytes)")
        try database.run("PRAGMA secure_delete = ON")
        try database.run("PRAGMA temp_store = MEMORY")
        try database.run("PRAGMA cell_size_check = ON")
    }

    private func readSecret(_ database: SQLiteDatabase) throws(StoreError) -> [UInt8] {
        var found: [UInt8] = []
        try database.run("SELECT value FROM meta WHERE name = 'secret'") { (row) throws(StoreError) in
            found = row.blob(0)
            return true
        }
        return found.count == Self.secretBytes ? found : []
    }

    private func keepSecret(in database: SQLiteDatabase) throws(StoreError) {
        let kept = try readSecret(database)
        guard kept.isEmpty || kept != secret else { return }
        if secret.isEmpty, !kept.isEmpty {
            secret = kept
            return
        }
        let new = secret.isEmpty ? Self.random() : secret
        try database.transaction { () throws(StoreError) in
            try database.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('secret', ?)", [.blob(new)])
        }
        secret = new
    }

    private static func random() -> [UInt8] {
        // The system's own, which is one for secrets.
        var generator = SystemRandomNumberGenerator()
        return (0..<secretBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    // MARK: Using

    /// Runs `body` with the connection; what it throws decides about the connection.
    ///
    /// A connection that was lost is made again, at most once a second.
    func use<Value>(_ body: (SQLiteDatabase) throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try body(try connected())
        } catch {
            mend(after: error)
            throw error
        }
    }

    /// Says whether the disk took what was written.
    func note(_ error: StoreError?) {
        guard let error else {
            guard isDegraded.exchange(false, ordering: .relaxed) else { return }
            lastNotice[.degraded] = nil
            return notice(.healed, "the disk takes writes again", atMostOnce: false)
        }
        guard error.isDisk else { return }
        isDegraded.store(true, ordering: .relaxed)
        notice(.degraded, "nothing is kept at the moment: \(error)")
    }

    /// Writes a row for no other reason than to see whether the disk takes it.
    func probe() {
        // A file that could be read only stays so for a connection, and so may one whose disk failed.
        lastConnect = .min
        if isStale { database = nil }
        do throws(StoreError) {
            try use { (database) throws(StoreError) in
                try database.transaction { () throws(StoreError) in
                    try database.run("INSERT OR REPLACE INTO meta (name, value) VALUES ('probe', x'00')")
                }
            }
            note(nil)
        } catch {
            note(error)
        }
    }

    /// Tells the operator, at most once a minute a kind.
    func notice(_ kind: StoreNotice.Kind, _ message: String, atMostOnce: Bool = true) {
        let now = StoreClock.steady()
        if atMostOnce, let last = lastNotice[kind], now - last < Int64(settings.noticeMilliseconds) { return }
        lastNotice[kind] = now
        log(StoreNotice(kind, message))
    }

    // MARK: The write-ahead log

    /// Copies the write-ahead log into the database and empties it; false while another process reads it.
    @discardableResult
    func truncateLog(patiently: Bool) -> Bool {
        guard let database, files.size(suffix: "-wal") > 0 else { return true }
        var isDone = false
        if !patiently { database.wait(milliseconds: 0) }
        defer { database.wait(milliseconds: SQLiteDatabase.busyMilliseconds) }
        do throws(StoreError) {
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)") { (row) throws(StoreError) in
                isDone = row.integer(0) == 0
                return true
            }
        } catch {
            mend(after: error)
            notice(.upkeep, "the write-ahead log could not be emptied: \(error)")
        }
        return isDone
    }

    /// Looks at the size of the write-ahead log.
    func watchLog() {
        let size = files.size(suffix: "-wal")
        guard size > settings.walBytes else { return }
        notice(.walLarge, "the write-ahead log has \(size) bytes: another process reads the file and does not end")
    }

    // MARK: Parts

    /// Whether the last fault was one that a new connection may not have.
    private var isStale = false

    private func connected() throws(StoreError) -> SQLiteDatabase {
        if let database { return database }
        let now = StoreClock.steady()
        guard lastConnect == .min || now - lastConnect >= 1_000 else { throw .io(code: SQLITE_CANTOPEN) }
        lastConnect = now
        try connect()
        guard let database else { throw .io(code: SQLITE_CANTOPEN) }
        return database
    }

    private func mend(after error: StoreError) {
        switch error {
        case .corrupt: quarantine()
        case .io, .readOnly, .unusable: isStale = true
        case .busy, .closed, .failed, .full, .newerSchema, .notFound, .overloaded: isStale = false
        }
        // A transaction that could not be undone ends with its connection.
        if database?.isInTransaction == true { database = nil }
    }

    private func quarantine() {
        let now = StoreClock.steady()
        // A disk that damages every file is not fed with new ones.
        if let last = lastQuarantine, now - last < Int64(settings.noticeMilliseconds) { return }
        lastQuarantine = now
        do throws(StoreError) {
            try moveAside()
            try connect()
        } catch {
            notice(.upkeep, "no new file could be made: \(error)")
        }
    }

    private func moveAside() throws(StoreError) {
        database = nil
        let name = try files.moveAside(keeping: settings.keptDamaged)
        notice(
            .quarantined,
            "the data file was damaged and is now \(name); a new one is in its place, without the sessions of the old",
            atMostOnce: false)
    }
}
