// JSONLimits: the bounds within which JSON is read.
// Spec: docs/protocol.md §11

/// The bounds within which JSON is read.
///
/// The defaults suit the cold paths: model streams and command-line input.
public struct JSONLimits: Sendable, Hashable {
    /// Deepest nesting that can be asked for.
    ///
    /// Reading a value recurses once a level, on stacks of unknown size.
    public static let maximumDepth = 128

    /// Longest input, in bytes.
    ///
    /// Default 1 MiB.
    public var bytes: Int
    /// Deepest nesting, at most ``maximumDepth``.
    ///
    /// Default 32.
    public var depth: Int
    /// Most keys of one object.
    ///
    /// Default 1 024.
    public var keys: Int
    /// Most values of a ``JSONValue`` tree, which takes about 50 bytes for each.
    ///
    /// Default 65 536.
    public var values: Int

    /// Makes bounds; each has a default.
    public init(bytes: Int = 1_048_576, depth: Int = 32, keys: Int = 1_024, values: Int = 65_536) {
        self.bytes = bytes
        self.depth = min(depth, Self.maximumDepth)
        self.keys = keys
        self.values = values
    }

    /// The bounds of a client's message.
    init(_ limits: Limits) {
        self.init(
            bytes: limits.clientMessageBytes, depth: limits.jsonDepth, keys: limits.objectKeys,
            values: limits.clientMessageBytes)
    }
}
