// SessionTimer: the waits of a session.
// Spec: docs/session.md (timers)

/// One wait of a session.
///
/// Setting a timer that is already set replaces it; a session has at most one of each.
public enum SessionTimer: String, Sendable, Hashable, CaseIterable {
    /// How long a running turn goes on without its client.
    case grace
    /// How long a session without a client is kept to be taken up again.
    case retention
    /// How long an ask waits for a newer screen.
    case snapshotWait
}
