// ControlBudget: how many control frames a peer may send in a time.
// Spec: docs/protocol.md §11

/// A token bucket over control frames: `limit` at once, and the same number again over each `window`.
///
/// It keeps one point in time (the generic cell rate algorithm), since an idle connection must cost little.
struct ControlBudget: Sendable, Hashable {
    /// When all spent frames have come back.
    private var refilledAt: Duration = .zero

    /// Spends one frame; false when none is left.
    mutating func spend(now: Duration, limits: WebSocketLimits) -> Bool {
        let limit = max(1, limits.controlFrames)
        let each = limits.controlWindow / limit
        let next = max(refilledAt, now) + each
        guard next - now <= each * limit else { return false }
        refilledAt = next
        return true
    }
}
