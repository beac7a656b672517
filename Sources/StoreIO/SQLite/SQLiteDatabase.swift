// SQLiteDatabase: one connection to one SQLite file.
// Spec: https://www.sqlite.org/c3ref/intro.html, https://www.sqlite.org/wal.html

internal import CSQLite

/// One connection to one SQLite file; every call of the library is made here.
///
/// Statements are prepared once and kept. Not thread-safe: it belongs to one queue.
package final class SQLiteDatabase {
    /// How long a lock of another process is waited for, in milliseconds.
    ///
    /// Default 2 000: longer than any transaction of ours.
    package static let busyMilliseconds: Int32 = 2_000

    private let handle: OpaquePointer
    private let faults: SQLiteFaults?
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file, which is made when there is none.
    package init(path: String, faults: SQLiteFaults? = nil) throws(StoreError) {
        var opened: OpaquePointer?
        let fault = faults?.next()
        // One queue uses it, so its own locks are not needed. SQLite opens its files with O_CLOEXEC.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = fault?.code ?? sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            // A handle may come with an error, too.
            sqlite3_close_v2(opened)
            throw StoreError(code: code)
        }
        handle = opened
        self.faults = faults
        sqlite3_busy_timeout(handle, Self.busyMilliseconds)
        _ = chalkline_sqlite_configure(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
        _ = chalkline_sqlite_configure(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        _ = chalkline_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DML, 0)
        _ = chalkline_sqlite_configure(handle, SQLITE_DBCONFIG_DQS_DDL, 0)
    }

    deinit { close() }

    /// Sets how long a lock of another process is waited for.
    package func wait(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

    /// Whether a transaction is open.
    package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Whether the file can only be read; known after the first statement that reads it.
    package var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// Rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes64(handle)) }

    // MARK: Statements

    /// Runs a statement; `row` is called for each row until it returns false.
    package func run(
        _ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) throws(StoreError) -> Bool = { _ in true }
    ) throws(StoreError) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(bind(value, to: statement, at: Int32(index + 1))) }
        while true {
            let code = try step(statement)
            guard code == SQLITE_ROW else { return }
            guard try row(SQLiteRow(statement: statement)) else { return }
        }
    }

    /// The first column of the first row; nil without a row or for NULL.
    ///
    /// The statement runs to its end.
    package func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> Int64? {
        var result: Int64?
        try run(sql, values) { (row) throws(StoreError) in
            if result == nil { result = row.optionalInteger(0) }
            return true
        }
        return result
    }

    /// The first column of the first row; nil without a row or for NULL.
    package func text(_ sql: String, _ values: [SQLiteValue] = []) throws(StoreError) -> String? {
        var result: String?
        try run(sql, values) { (row) throws(StoreError) in
            if result == nil { result = row.optionalText(0) }
            return true
        }
        return result
    }

    /// Runs `body` between BEGIN IMMEDIATE and COMMIT; what it did is undone when it throws.
    package func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try run("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try run("COMMIT")
        } catch {
            // SQLite has undone it itself after some faults; a fault of this statement leaves it open, which the owner
            // sees by `isInTransaction`.
            if isInTransaction { try? run("ROLLBACK") }
            throw error
        }
    }

    // MARK: Parts

    private func close() {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(handle)
    }

    private func prepared(_ sql: String) throws(StoreError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        if let fault = faults?.next() { throw StoreError(code: fault.code) }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw StoreError.failed(code: SQLITE_MISUSE) }
        statements[sql] = statement
        return statement
    }

    private func step(_ statement: OpaquePointer) throws(StoreError) -> Int32 {
        let fault = faults?.next()
        if let fault, fault.moment == .before { throw StoreError(code: fault.code) }
        let code = sqlite3_step(statement)
        if let fault { throw StoreError(code: fault.code) }
        guard code == SQLITE_ROW || code == SQLITE_DONE else { throw StoreError(code: code) }
        return code
    }

    private func bind(_ value: SQLiteValue, to statement: OpaquePointer, at place: Int32) -> Int32 {
        switch value {
        case .blob(let bytes):
            if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, place, 0) }
            return bytes.withUnsafeBytes {
                chalkline_sqlite_bind_blob(statement, place, $0.baseAddress, Int32(clamping: $0.count))
            }
        case .integer(let number): return sqlite3_bind_int64(statement, place, number)
        case .null: return sqlite3_bind_null(statement, place)
        case .text(var text):
            return text.withUTF8 { bytes in
                guard let base = bytes.baseAddress else { return chalkline_sqlite_bind_text(statement, place, "", 0) }
                return base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    chalkline_sqlite_bind_text(statement, place, $0, Int32(clamping: bytes.count))
                }
            }
        }
    }

    private func check(_ code: Int32) throws(StoreError) {
        guard code == SQLITE_OK else { throw StoreError(code: code) }
    }
}
