// ElementSerial: the server's own identity of an element.
// Spec: docs/protocol.md §4 (Identity)

/// The server's own identity of an element within a session; never reused, and never seen by a client or a model.
///
/// An element keeps its serial while its id was not removed and its kind did not change. Removed and added again,
/// or on a new screen, it is another element with another serial.
public struct ElementSerial: Sendable, Hashable, Comparable {
    /// From 1, in the order in which elements became known.
    public let rawValue: UInt64

    /// Makes a serial from its number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// By age, oldest first.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
