// SummaryWindow: the lines about earlier turns that a prompt holds.
// Spec: docs/architecture.md (what the model sees)

/// The lines about earlier turns that a prompt holds: grows to five, then is cut to the newest three.
///
/// Cutting two at a time, and not one each turn, lets the start of the prompt stay the same for two turns after a cut.
public struct SummaryWindow: Sendable, Hashable {
    /// Most lines.
    ///
    /// Default 5.
    public static let maximumCount = 5
    /// What a cut leaves.
    ///
    /// Default 3.
    public static let countAfterCut = 3
    /// Longest line, in bytes.
    ///
    /// Default 240: about 60 tokens.
    public static let maximumBytes = 240

    /// The lines, oldest first.
    public private(set) var entries: [String] = []

    /// Makes an empty window.
    public init() {}

    /// Adds a line about the turn that ended; an empty one is not kept.
    public mutating func append(_ summary: String) {
        let line = PromptText().line(summary, maximumBytes: Self.maximumBytes)
        if line.isEmpty { return }
        entries.append(line)
        if entries.count > Self.maximumCount { entries.removeFirst(entries.count - Self.countAfterCut) }
    }
}
