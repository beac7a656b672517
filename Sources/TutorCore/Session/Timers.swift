// Timers: which of a session's timers are set, and until when.
// Spec: docs/session.md (timers)

/// Which of a session's timers are set, and until when.
///
/// A timer that fires late, early, twice or after it was cancelled does no harm.
struct Timers: Sendable, Hashable {
    private var deadlines: [SessionTimer: Duration] = [:]

    /// What a firing means.
    enum Firing: Sendable, Hashable {
        /// The time has come.
        case due
        /// The host's clock was early: wait for the rest.
        case early(Duration)
        /// It is not set.
        case unset
    }

    /// Sets a timer, in place of the one that was set.
    mutating func set(_ timer: SessionTimer, until deadline: Duration) {
        deadlines[timer] = deadline
    }

    /// Forgets a timer; whether it was set.
    mutating func clear(_ timer: SessionTimer) -> Bool {
        deadlines.removeValue(forKey: timer) != nil
    }

    /// How long each timer that is set has still to wait.
    func remaining(now: Duration) -> [SessionTimer: Duration] { deadlines.mapValues { max(.zero, $0 - now) } }

    /// Judges a firing; a timer that is due is not set any more.
    mutating func fire(_ timer: SessionTimer, now: Duration) -> Firing {
        guard let deadline = deadlines[timer] else { return .unset }
        guard deadline <= now else { return .early(deadline - now) }
        deadlines[timer] = nil
        return .due
    }
}
