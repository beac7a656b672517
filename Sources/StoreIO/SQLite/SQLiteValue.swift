// SQLiteValue: a value that goes into a statement.
// Spec: https://www.sqlite.org/datatype3.html

/// A value that goes into a statement.
package enum SQLiteValue: Sendable, Hashable {
    case blob([UInt8])
    case integer(Int64)
    case null
    case text(String)

    /// A text, or NULL.
    package static func optional(_ text: String?) -> Self { text.map(Self.text) ?? .null }

    /// A number, or NULL.
    package static func optional(_ number: Int64?) -> Self { number.map(Self.integer) ?? .null }

    /// A number.
    package static func integer(_ number: Int) -> Self { .integer(Int64(number)) }
}
