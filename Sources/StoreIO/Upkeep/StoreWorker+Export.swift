// StoreWorker+Export: reads what is kept about a subject, a session at a time.
// Spec: docs/protocol.md §8

internal import TutorCore
internal import TutorProtocol

extension StoreWorker {
    /// Writes the subject's next session after a row; its row, or nil when there is none.
    func exportSession(
        after row: Int64, of subject: String, to writer: inout RecordsWriter
    ) throws(StoreError) -> Int64? {
        var copy = writer
        defer { writer = copy }
        return try use { (database) throws(StoreError) in
            var found: (row: Int64, record: SessionRecord)?
            try database.run(
                """
                SELECT session, id, room, created_at, touched_at FROM sessions
                WHERE subject = ? AND session > ? ORDER BY session LIMIT 1
                """, [.text(subject), .integer(row)]
            ) { (row) throws(StoreError) in
                let record = SessionRecord(
                    id: row.text(1), subject: subject, room: row.optionalText(2), epochs: [], keyGeneration: 0,
                    lastTurn: 0, lastSeq: 0, hintCeiling: 0, createdAt: row.integer(3), touchedAt: row.integer(4))
                found = (row.integer(0), record)
                return true
            }
            guard let found else { return nil }
            guard copy.open(found.record) else { return found.row }
            for turn in try turns(of: found.row, limit: Self.exportedTurns, from: database) {
                let answer = try answer(of: turn, in: found.row, from: database)
                let feedback = try feedback(for: turn.turn, in: found.row, from: database)
                guard copy.add(turn, answer: answer, feedback: feedback) else { break }
            }
            copy.closeSession()
            return found.row
        }
    }

    /// Most turns of one session in an export: more than a month of asking.
    private static let exportedTurns = 10_000

    /// The answer as `turn.end` has it; nil while the turn runs, or where its row is gone.
    private func answer(
        of turn: TurnRecord, in session: Int64, from database: SQLiteDatabase
    ) throws(StoreError) -> String? {
        guard let seq = turn.ending?.seq else { return nil }
        var answer: String?
        try database.run(
            """
            SELECT first_seq, last_seq, payload FROM events WHERE session = ? AND first_seq <= ?
            ORDER BY first_seq DESC LIMIT 1
            """, [.integer(session), .integer(seq)]
        ) { (row) throws(StoreError) in
            let entries = EventPayload.entries(row.blob(2), first: row.integer(0), last: row.integer(1)) ?? []
            if case .turnEnd(let end)? = entries.last(where: { $0.event.seq == seq })?.event.event {
                answer = end.answer
            }
            return true
        }
        return answer
    }

    private func feedback(
        for turn: TurnID, in session: Int64, from database: SQLiteDatabase
    ) throws(StoreError) -> (value: Int64, text: String?, at: Int64)? {
        var feedback: (value: Int64, text: String?, at: Int64)?
        try database.run(
            "SELECT value, text, given_at FROM feedback WHERE session = ? AND turn = ?",
            [.integer(session), .integer(turn.number)]
        ) { (row) throws(StoreError) in
            feedback = (row.integer(0), row.optionalText(1), row.integer(2))
            return true
        }
        return feedback
    }
}
