// StoreWorker+Erase: the slices of a deletion.
// Spec: docs/protocol.md §8 (`forget`); docs/reliability.md

extension StoreWorker {
    /// Takes a session's name away: nobody finds it any more.
    func mark(session: String) throws(StoreError) {
        try mark("id = ?", [.text(session)])
    }

    /// Takes the names of a subject's sessions away.
    func mark(subject: String) throws(StoreError) {
        try mark("subject = ?", [.text(subject)])
    }

    /// Takes the names of old sessions away, of the next 1 000 rows; the last row, or nil when there are no more.
    func markOld(after row: Int64) throws(StoreError) -> Int64? {
        let oldest = settings.wallNow() - Int64(settings.retentionDays) * 86_400_000
        let last = try use { (database) throws(StoreError) in
            try database.integer(
                "SELECT max(session) FROM (SELECT session FROM sessions WHERE session > ? ORDER BY session LIMIT 1000)",
                [.integer(row)])
        }
        guard let last else { return nil }
        try mark("session > ? AND session <= ? AND touched_at < ?", [.integer(row), .integer(last), .integer(oldest)])
        return last
    }

    /// Deletes the next rows of a session that has no name; false when there is none.
    func eraseSlice() throws(StoreError) -> Bool {
        try use { (database) throws(StoreError) in
            guard let session = try database.integer("SELECT session FROM sessions WHERE id IS NULL LIMIT 1") else {
                return false
            }
            try database.transaction { () throws(StoreError) in
                var left = settings.sliceRows
                let tables = [("events", "first_seq"), ("turns", "turn"), ("feedback", "turn")]
                for (table, key) in tables where left > 0 {
                    try database.run(
                        """
                        DELETE FROM \(table) WHERE session = ?1 AND \(key) IN
                        (SELECT \(key) FROM \(table) WHERE session = ?1 LIMIT ?2)
                        """, [.integer(session), .integer(left)])
                    left -= database.changes
                }
                // Its row goes last, so that its number is not given to another before the rest is gone.
                if left > 0 { try database.run("DELETE FROM sessions WHERE session = ?", [.integer(session)]) }
            }
            return true
        }
    }

    /// Tells those who wait that the erasure is over.
    func endErasing(_ result: Result<Void, StoreError>) {
        let waiting = erasing
        erasing = []
        for done in waiting { done(result) }
    }

    private func mark(_ condition: String, _ values: [SQLiteValue]) throws(StoreError) {
        try use { (database) throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try database.run(
                    """
                    UPDATE sessions SET id = NULL, subject = NULL, room = NULL, epochs = '[]'
                    WHERE \(condition) AND id IS NOT NULL
                    """, values)
            }
        }
    }
}
