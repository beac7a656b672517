// StoreWorker+Load: a session comes back from disk.
// Spec: docs/reliability.md (reading)

internal import TutorCore
internal import TutorProtocol

extension StoreWorker {
    /// Reads a session; nil when there is none, or its row is damaged.
    func load(_ id: String, limits: StoreReadLimits) throws(StoreError) -> StoredSession? {
        try use { (database) throws(StoreError) in
            // One view of the file, also while another process still writes to it.
            try database.run("BEGIN")
            do throws(StoreError) {
                let session = try read(id, limits: limits, from: database)
                try database.run("COMMIT")
                return session
            } catch {
                if database.isInTransaction { try? database.run("ROLLBACK") }
                throw error
            }
        }
    }

    private func read(
        _ id: String, limits: StoreReadLimits, from database: SQLiteDatabase
    ) throws(StoreError) -> StoredSession? {
        var found: (row: Int64, record: SessionRecord)?
        try database.run(
            """
            SELECT session, subject, room, epochs, key_generation, last_turn, last_seq, hint_ceiling, created_at,
            touched_at FROM sessions WHERE id = ?
            """, [.text(id)]
        ) { (row) throws(StoreError) in
            guard let epochs = EpochText.epochs(row.text(3)) else {
                notice(.damagedRow, "a session's row could not be read")
                return false
            }
            let record = SessionRecord(
                id: id, subject: row.optionalText(1), room: row.optionalText(2), epochs: epochs,
                keyGeneration: row.integer(4), lastTurn: Int(row.integer(5)), lastSeq: row.integer(6),
                hintCeiling: Int(row.integer(7)), createdAt: row.integer(8), touchedAt: row.integer(9))
            found = (row.integer(0), record)
            return true
        }
        guard let found else { return nil }
        return StoredSession(
            session: found.record, turns: try turns(of: found.row, limit: limits.turns, from: database),
            events: try events(of: found.row, until: found.record.lastSeq, limits: limits, from: database))
    }

    /// The newest turns, oldest first; a row that is damaged is left out.
    func turns(of session: Int64, limit: Int, from database: SQLiteDatabase) throws(StoreError) -> [TurnRecord] {
        var turns: [TurnRecord] = []
        try database.run(
            """
            SELECT turn, ask, digest_1, digest_2, question, cause, language, hint_level, start_seq, asked_at, end_seq,
            status, reason, summary FROM turns WHERE session = ? ORDER BY turn DESC LIMIT ?
            """, [.integer(session), .integer(limit)]
        ) { (row) throws(StoreError) in
            if let turn = Self.turn(row) {
                turns.append(turn)
            } else {
                notice(.damagedRow, "a turn's row could not be read")
            }
            return true
        }
        return turns.reversed()
    }

    /// The newest entries up to `last`, oldest first; it ends where a number is missing, a row is damaged or a limit is
    /// reached.
    private func events(
        of session: Int64, until last: Int64, limits: StoreReadLimits, from database: SQLiteDatabase
    ) throws(StoreError) -> [SessionWrite.Entry] {
        var newestFirst: [SessionWrite.Entry] = []
        var bytesLeft = limits.bytes
        var expected = last
        try database.run(
            "SELECT first_seq, last_seq, payload FROM events WHERE session = ? ORDER BY first_seq DESC",
            [.integer(session)]
        ) { (row) throws(StoreError) in
            guard row.integer(1) == expected else { return false }
            let payload = row.blob(2)
            guard let entries = EventPayload.entries(payload, first: row.integer(0), last: expected) else {
                notice(.damagedRow, "a row of events could not be read")
                return false
            }
            bytesLeft -= payload.count
            // The row that goes over is left out as a whole, but not the only one.
            guard bytesLeft >= 0 || newestFirst.isEmpty else { return false }
            for entry in entries.reversed() {
                guard newestFirst.count < limits.entries else { return false }
                newestFirst.append(entry)
            }
            expected = row.integer(0) - 1
            return expected > 0 && bytesLeft > 0
        }
        return newestFirst.reversed()
    }

    private static func turn(_ row: SQLiteRow) -> TurnRecord? {
        guard let ask = MessageID(row.text(1)), let cause = TurnStart.Cause(rawValue: row.text(5)) else { return nil }
        var ending: TurnRecord.Ending?
        if let seq = row.optionalInteger(10) {
            guard let status = TurnEnd.Status(rawValue: row.text(11)) else { return nil }
            ending = TurnRecord.Ending(
                seq: seq, status: status, reason: row.optionalText(12), summary: row.optionalText(13))
        }
        return TurnRecord(
            turn: TurnID(Int(row.integer(0))), ask: ask,
            digest: AskDigest(
                first: UInt64(bitPattern: row.integer(2)), second: UInt64(bitPattern: row.integer(3))),
            question: row.text(4), cause: cause, language: row.optionalText(6), hintLevel: Int(row.integer(7)),
            startSeq: row.integer(8), askedAt: row.integer(9), ending: ending)
    }
}
