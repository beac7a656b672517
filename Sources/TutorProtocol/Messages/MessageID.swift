// MessageID: a client's name for one of its messages.
// Spec: docs/protocol.md §2 (`id`, `re`)

/// A client's name for one of its messages: 1 to 64 bytes of UTF-8 without control characters.
public struct MessageID: Sendable, Hashable, CustomStringConvertible {
    /// Longest id, in bytes.
    public static let maximumByteCount = 64

    /// The id as the client wrote it.
    public let rawValue: String

    /// Takes an id, or returns nil when it is empty, too long, or holds a control character.
    public init?(_ rawValue: String) {
        let bytes = rawValue.utf8
        guard bytes.count > 0, bytes.count <= Self.maximumByteCount, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.rawValue = rawValue
    }

    /// The id as the client wrote it.
    public var description: String { rawValue }
}
