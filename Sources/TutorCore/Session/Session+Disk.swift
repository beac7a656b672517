// Session, the disk: what is to be written, what has been, and what may leave before it.
// Spec: docs/reliability.md (writing)

import TutorProtocol

extension Session {
    /// What is not on disk yet; nil when there is nothing.
    ///
    /// It changes nothing: what the disk does not take is still there the next time. One write of a session at a time is
    /// under way.
    ///
    /// - Parameter wallNow: Milliseconds since 1970.
    /// - Returns: The session, the turns and the events to write.
    public func write(wallNow: Int64) -> SessionWrite? {
        let events = log.entries(after: savedSeq)
        let turns = unsavedTurns.all
        var record = record(touchedAt: savedRecord?.touchedAt ?? wallNow)
        if events.isEmpty, turns.isEmpty, record == savedRecord { return nil }
        record.touchedAt = wallNow
        return SessionWrite(session: record, turns: turns, events: events, erasures: erasures)
    }

    /// Notes that a write is on disk.
    ///
    /// What happened since it was gathered still has to be written.
    public mutating func wrote(_ write: SessionWrite) {
        guard write.erasures == erasures else { return }
        savedSeq = max(savedSeq, write.session.lastSeq)
        savedRecord = write.session
        unsavedTurns.remove(write.turns)
        if let start = unsavedStart, start <= savedSeq { unsavedStart = log.firstStart(after: savedSeq) }
    }

    /// The newest `seq` that may leave: the one before the first `turn.start` that is not on disk.
    public var sendableSeq: Int64 {
        unsavedStart.map { $0 - 1 } ?? log.lastSeq
    }

    /// The session as it is to be kept.
    private func record(touchedAt: Int64) -> SessionRecord {
        SessionRecord(
            id: id, subject: subject, room: room, epochs: epochs, keyGeneration: keyGeneration, lastTurn: lastTurn,
            lastSeq: log.lastSeq, hintCeiling: ladder.ceiling, createdAt: createdAt, touchedAt: touchedAt)
    }

    /// Keeps what a turn is about.
    mutating func keep(_ record: TurnRecord) {
        history.put(record)
        unsavedTurns.put(record)
    }

    /// Keeps how a turn ended.
    mutating func keep(_ seq: Int64, _ end: TurnEnd) {
        keepEnd(LoggedEvent(seq: seq, event: .turnEnd(end)))
        guard var record = history[end.turn] else { return }
        record.ending = TurnRecord.Ending(seq: seq, status: end.status, reason: end.reason, summary: end.summary)
        keep(record)
    }
}
