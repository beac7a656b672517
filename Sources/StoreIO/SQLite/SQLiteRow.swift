// SQLiteRow: the row that a statement stands on.
// Spec: https://www.sqlite.org/c3ref/column_blob.html

internal import CSQLite

/// The row that a statement stands on; only good within the call that it is handed to.
///
/// A value of another kind than asked for is turned into it as SQLite does; columns count from 0.
package struct SQLiteRow {
    private let statement: OpaquePointer

    init(statement: OpaquePointer) { self.statement = statement }

    /// Whether the value is NULL.
    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The value as a number; 0 for NULL.
    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    /// The value as a number; nil for NULL.
    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The value as a text; empty for NULL.
    package func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// The value as a text; nil for NULL.
    package func optionalText(_ column: Int32) -> String? {
        guard let base = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// The value as bytes; empty for NULL.
    package func blob(_ column: Int32) -> [UInt8] {
        guard let base = sqlite3_column_blob(statement, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
