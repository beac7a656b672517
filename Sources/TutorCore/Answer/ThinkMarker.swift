// ThinkMarker: finds the marks around a model's inline thoughts.
// Spec: docs/architecture.md (what the model says)

/// Finds the marks around a model's inline thoughts: `<think>`, `</think>` and the same with `thinking`, in any case.
struct ThinkMarker {
    /// What the scalars so far are.
    enum Step {
        case close
        case fail
        case open
        case viable
    }

    private var read = ""

    /// Reads one scalar; the first is `<`.
    mutating func advance(_ scalar: Unicode.Scalar) -> Step {
        read.unicodeScalars.append(scalar.lowercased)
        if Self.openers.contains(read) { return .open }
        if Self.closers.contains(read) { return .close }
        return (Self.openers + Self.closers).contains { $0.hasPrefix(read) } ? .viable : .fail
    }

    /// Whether so much of a mark was read that it is one, cut off.
    var isUnmistakable: Bool { read.hasPrefix("<think") || read.hasPrefix("</think") }

    private static let openers = ["<think>", "<thinking>"]
    private static let closers = ["</think>", "</thinking>"]
}
