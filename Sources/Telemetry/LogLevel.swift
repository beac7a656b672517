// LogLevel: how much a log line matters.

/// How much a log line matters.
///
/// The names are swift-log's, so that an adapter is mechanical.
public enum LogLevel: String, Sendable, Hashable, CaseIterable, Comparable {
    case trace
    case debug
    case info
    case notice
    case warning
    case error
    case critical

    /// By weight.
    public static func < (left: Self, right: Self) -> Bool { left.weight < right.weight }

    private var weight: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
