// TurnID: the number of a turn within its session.
// Spec: docs/protocol.md §5 (`turn`)

/// The number of a turn within its session, written `t1`, `t2`, … on the wire.
public struct TurnID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// From 1.
    public let number: Int

    /// Makes the id of the n-th turn.
    public init(_ number: Int) { self.number = number }

    /// Reads `t12`; nil for anything else, leading zeros included.
    public init?(wire: String) {
        guard wire.hasPrefix("t"), let number = Int(wire.dropFirst()), number > 0, "t\(number)" == wire else {
            return nil
        }
        self.number = number
    }

    /// The id of no turn: what a client's text is read as when no turn can have it.
    public static let none = TurnID(0)

    /// `t12`.
    public var description: String { "t\(number)" }

    /// By number.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }
}
