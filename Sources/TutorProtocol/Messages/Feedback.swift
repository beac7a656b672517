// Feedback: what a student thinks of a turn.
// Spec: docs/protocol.md §8

/// `feedback`: what a student thinks of a turn.
public struct Feedback: Sendable, Hashable {
    /// The turn.
    public var turn: TurnID
    /// 1 for good, -1 for bad.
    public var value: Int
    /// In the student's words, if any.
    public var text: String?

    /// Makes a feedback.
    public init(turn: TurnID, value: Int, text: String? = nil) {
        self.turn = turn
        self.value = value
        self.text = text
    }
}
