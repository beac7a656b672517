// SessionWrite: what one flush writes of one session.
// Spec: docs/reliability.md (writing)

public import TutorProtocol

/// What one flush writes of one session: all of it or nothing.
///
/// Adjacent pieces of an answer are one entry here, as in the log, so that a flush is one row of events.
public struct SessionWrite: Sendable, Hashable {
    /// One entry of the log: an event, or adjacent pieces of one turn's text as one `answer.delta`.
    public struct Entry: Sendable, Hashable {
        /// The `seq` of the first event that it stands for.
        public var firstSeq: Int64
        /// The event, with the `seq` of the last.
        public var event: LoggedEvent

        /// Makes an entry.
        public init(firstSeq: Int64, event: LoggedEvent) {
            self.firstSeq = firstSeq
            self.event = event
        }
    }

    /// The session as it is now.
    public var session: SessionRecord
    /// Turns that began or ended since the last flush.
    public var turns: [TurnRecord]
    /// The log since the last flush, without gaps; empty when only the rest changed.
    public var events: [Entry]
    /// How often the session had been erased when this was gathered; not for the disk.
    ///
    /// What was gathered before an erasure says nothing of what is on disk after it.
    public var erasures: Int

    /// Makes a write.
    public init(session: SessionRecord, turns: [TurnRecord], events: [Entry], erasures: Int = 0) {
        self.session = session
        self.turns = turns
        self.events = events
        self.erasures = erasures
    }
}
