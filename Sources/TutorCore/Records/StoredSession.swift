// StoredSession: what comes back from disk of a session.
// Spec: docs/reliability.md (reading)

/// What comes back from disk of a session, for a client that takes it up after a restart.
public struct StoredSession: Sendable, Hashable {
    /// The session as it was written last.
    public var session: SessionRecord
    /// Its newest turns, oldest first.
    public var turns: [TurnRecord]
    /// The newest part of its log, oldest first and without gaps, up to `session.lastSeq`; as much as the limits of a
    /// log in memory allow.
    public var events: [SessionWrite.Entry]

    /// Makes a stored session.
    public init(session: SessionRecord, turns: [TurnRecord], events: [SessionWrite.Entry]) {
        self.session = session
        self.turns = turns
        self.events = events
    }
}
