// HTTPLimits: how large a request head may be.
// Spec: docs/protocol.md §11

/// How large a request head may be, in bytes without line ends.
///
/// Checked before the bytes are kept.
public struct HTTPLimits: Sendable, Hashable {
    /// The request line.
    ///
    /// Default 4 KiB, far over any path of ours; more is 414.
    public var requestLine: Int = 4 * 1024

    /// One header line.
    ///
    /// Default 8 KiB, room for a large token; more is 431.
    public var header: Int = 8 * 1024

    /// All header lines with their line ends.
    ///
    /// Default 16 KiB; more is 431.
    public var allHeaders: Int = 16 * 1024

    /// Number of header lines.
    ///
    /// Default 100; more is 431.
    public var headerCount: Int = 100

    /// The default limits.
    public init() {}
}
