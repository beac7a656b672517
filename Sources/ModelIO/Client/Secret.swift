// Secret: a text that must not be printed.
// Spec: docs/models.md (the key)

/// A text that must not be printed.
///
/// Printed, interpolated, dumped or mirrored it says `<redacted>`.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let value: String

    /// Wraps a text.
    public init(_ value: String) { self.value = value }

    /// The text itself.
    ///
    /// For the place that sends it, and no other.
    public var revealed: String { value }

    /// Always the same word.
    public var description: String { Self.placeholder }
    /// Always the same word.
    public var debugDescription: String { Self.placeholder }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// The text with every occurrence of the secret replaced.
    ///
    /// Endpoints quote the key in their error messages.
    public func redacted(in text: String) -> String {
        // A very short secret would tear up any text; a real key is longer.
        guard value.utf8.count >= 4 else { return text }
        let secret = Array(value.utf8)
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == secret[0], bytes[index...].starts(with: secret) {
                result += Array(Self.placeholder.utf8)
                index += secret.count
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static let placeholder = "<redacted>"
}
