// HostTimer: the host's one timer, as a client has set it.
// Spec: docs/models.md (the seam)

/// The host's one timer, as a client has set it.
///
/// A timer that fires too early is harmless, and most deadlines move back with every byte: so the host is told only of
/// an earlier need, and of none.
struct HostTimer: Sendable, Hashable {
    private var armed: Duration?

    /// Takes the time when the client wants to be called, and returns what the host has to be told.
    mutating func set(_ wanted: Duration?, now: Duration) -> HostRequest? {
        guard let wanted else {
            defer { armed = nil }
            return armed == nil ? nil : .timer(after: nil)
        }
        if let armed, armed <= wanted { return nil }
        armed = wanted
        return .timer(after: max(.zero, wanted - now))
    }

    /// The host has called.
    mutating func fire() { armed = nil }
}
