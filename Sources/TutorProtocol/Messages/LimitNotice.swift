// LimitNotice: how much of a budget is used.
// Spec: docs/protocol.md §8 (`limit`)

/// `limit`: how much of a budget is used; comes at 80 % and when the budget is what stops something.
public struct LimitNotice: Sendable, Hashable {
    /// Which budget, such as `tokens_per_day`.
    public var scope: String
    /// How much of it is used.
    public var used: Int
    /// How much is left.
    public var left: Int
    /// When all of it is there again, in milliseconds.
    public var resetMilliseconds: Int

    /// Makes a notice.
    public init(scope: String, used: Int, left: Int, resetMilliseconds: Int) {
        self.scope = scope
        self.used = used
        self.left = left
        self.resetMilliseconds = resetMilliseconds
    }
}
