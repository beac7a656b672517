// TokenExpiry: when a connection is warned of its token's end, and when it ends.
// Spec: docs/protocol.md §3 (bye), §1 (token)

internal import TutorProtocol

/// When a connection is warned of its token's end, and when it ends.
///
/// A value without a clock: it is told the time and says what is due and when to ask again. Times are milliseconds since
/// 1970. The waits are bounded, since the time of day can be set while one lasts.
struct TokenExpiry: Sendable, Hashable {
    /// What is due.
    enum Step: Sendable, Hashable {
        /// The connection ends.
        case end
        /// Nothing; ask again after so many milliseconds.
        case wait(Int64)
        /// A farewell goes out: the server closes after so many milliseconds unless a new token comes.
        case warn(Int64)
    }

    private let expiresAt: Int64
    private let leeway: Int64
    private var isWarned = false

    /// Watches a token that ends at `expiresAt`, with the leeway that all its checks have.
    init(expiresAt: Int64, leeway: Int64) {
        self.expiresAt = expiresAt
        self.leeway = leeway
    }

    /// What is due now; after ``Step/warn(_:)`` ask once more at once.
    mutating func step(now: Int64) -> Step {
        let end = expiresAt + leeway
        guard now < end else { return .end }
        let warning = expiresAt - Self.notice
        if !isWarned, now >= warning {
            isWarned = true
            return .warn(end - now)
        }
        return .wait(min(Self.longestWait, (isWarned ? end : warning) - now))
    }

    /// How long before the token's end the warning comes, in milliseconds.
    ///
    /// 60 s.
    static let notice: Int64 = 60_000
    /// Longest wait, in milliseconds.
    ///
    /// 60 s: a clock that is set forward is noticed within that.
    static let longestWait: Int64 = 60_000
}
