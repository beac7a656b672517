// TokenBucket: lets a rate through, with a burst.
// Spec: docs/protocol.md §10 (`rate_limited`), §11

/// Lets a number of things through in a time, with a burst, and says when the next may come.
///
/// Kept as one instant, the time at which the bucket is full again: no fractions add up, and an idle bucket costs
/// nothing.
public struct TokenBucket: Sendable, Hashable {
    /// The time in which one token comes back.
    private let interval: Duration
    /// The time in which an empty bucket fills.
    private let depth: Duration
    /// When the bucket is full again.
    private var fullAt: Duration = .zero

    /// Makes a full bucket of `burst` tokens, 1 to 1 000 000, that gets `count`, at least 1, back in each `period`.
    public init(count: Int, per period: Duration, burst: Int) {
        interval = period / max(1, count)
        depth = interval * min(1_000_000, max(1, burst))
    }

    /// Takes a token; nil when there was one, else how long to wait for the next.
    ///
    /// A refusal costs nothing.
    public mutating func take(now: Duration) -> Duration? {
        let filled = max(fullAt, now) + interval
        let wait = filled - depth - now
        guard wait <= .zero else { return wait }
        fullAt = filled
        return nil
    }
}
