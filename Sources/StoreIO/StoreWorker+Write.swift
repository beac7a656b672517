// StoreWorker+Write: groups of sessions go to disk.
// Spec: docs/reliability.md (writing)

internal import TutorCore
internal import TutorProtocol

extension StoreWorker {
    /// Writes groups in one transaction; where one of them is at fault, each in its own.
    ///
    /// Returns what became of each.
    func write(_ groups: [[SessionWrite]]) -> [Result<Void, StoreError>] {
        do throws(StoreError) {
            try writeTogether(groups)
            note(nil)
            watchLog()
            return groups.map { _ in .success(()) }
        } catch {
            guard groups.count > 1, !error.isDisk else {
                note(error)
                return groups.map { _ in .failure(error) }
            }
        }
        return groups.flatMap { write([$0]) }
    }

    /// Keeps what a student thinks of a turn; the newest counts.
    func addFeedback(
        session: String, turn: TurnID, value: Int, text: String?, at moment: Int64
    ) throws(StoreError) {
        try use { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try database.run(
                    """
                    INSERT OR REPLACE INTO feedback (session, turn, value, text, given_at)
                    SELECT session, ?, ?, ?, ? FROM sessions WHERE id = ?
                    """,
                    [.integer(turn.number), .integer(value), .optional(text), .integer(moment), .text(session)])
                guard database.changes > 0 else { throw StoreError.notFound }
            }
        }
    }

    private func writeTogether(_ groups: [[SessionWrite]]) throws(StoreError) {
        try use { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                for group in groups {
                    for write in group { try put(write, in: database) }
                }
            }
        }
    }

    private func put(_ write: SessionWrite, in database: SQLiteDatabase) throws(StoreError) {
        let record = write.session
        let session = try database.integer(
            """
            INSERT INTO sessions (id, subject, room, epochs, key_generation, last_turn, last_seq, hint_ceiling,
            created_at, touched_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            ON CONFLICT (id) DO UPDATE SET subject = ?2, room = ?3, epochs = ?4, key_generation = ?5, last_turn = ?6,
            last_seq = ?7, hint_ceiling = ?8, created_at = ?9, touched_at = ?10 RETURNING session
            """,
            [
                .text(record.id), .optional(record.subject), .optional(record.room),
                .text(EpochText.text(record.epochs)), .integer(record.keyGeneration), .integer(record.lastTurn),
                .integer(record.lastSeq), .integer(record.hintCeiling), .integer(record.createdAt),
                .integer(record.touchedAt),
            ])
        guard let session else { throw StoreError.corrupt }
        for turn in write.turns { try put(turn, of: session, in: database) }
        guard let first = write.events.first, let last = write.events.last else { return }
        // A flush whose success was not heard of comes again from the same number, and longer.
        try database.run(
            "INSERT OR REPLACE INTO events (session, first_seq, last_seq, payload) VALUES (?, ?, ?, ?)",
            [
                .integer(session), .integer(first.firstSeq), .integer(last.event.seq),
                .blob(EventPayload.bytes(write.events)),
            ])
    }

    private func put(_ turn: TurnRecord, of session: Int64, in database: SQLiteDatabase) throws(StoreError) {
        try database.run(
            """
            INSERT OR REPLACE INTO turns (session, turn, ask, digest_1, digest_2, question, cause, language, hint_level,
            start_seq, asked_at, end_seq, status, reason, summary) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            [
                .integer(session), .integer(turn.turn.number), .text(turn.ask.rawValue),
                .integer(Int64(bitPattern: turn.digest.first)), .integer(Int64(bitPattern: turn.digest.second)),
                .text(turn.question), .text(turn.cause.rawValue), .optional(turn.language),
                .integer(turn.hintLevel), .integer(turn.startSeq), .integer(turn.askedAt),
                .optional(turn.ending?.seq), .optional(turn.ending?.status.rawValue),
                .optional(turn.ending?.reason), .optional(turn.ending?.summary),
            ])
    }
}
