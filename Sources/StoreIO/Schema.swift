// Schema: the tables of the store, and how a file of an older version becomes one of this.
// Spec: docs/reliability.md (what is kept)

/// The tables of the store, and how a file of an older version becomes one of this.
package enum Schema {
    /// The changes, oldest first; each is one transaction, and `user_version` counts them.
    ///
    /// Only ever appended to: a file in the field has been through those before.
    package static let migrations: [[String]] = [
        [
            "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
            // A session to be erased loses its name first, and its row last: what is half erased is neither found nor
            // mistaken for another session after a crash.
            """
            CREATE TABLE sessions (session INTEGER PRIMARY KEY, id TEXT UNIQUE, subject TEXT, room TEXT,
            epochs TEXT NOT NULL, key_generation INTEGER NOT NULL, last_turn INTEGER NOT NULL,
            last_seq INTEGER NOT NULL, hint_ceiling INTEGER NOT NULL, created_at INTEGER NOT NULL,
            touched_at INTEGER NOT NULL)
            """,
            "CREATE INDEX sessions_subject ON sessions (subject) WHERE subject IS NOT NULL",
            "CREATE INDEX sessions_erased ON sessions (session) WHERE id IS NULL",
            """
            CREATE TABLE events (session INTEGER NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
            payload BLOB NOT NULL, PRIMARY KEY (session, first_seq)) WITHOUT ROWID
            """,
            """
            CREATE TABLE turns (session INTEGER NOT NULL, turn INTEGER NOT NULL, ask TEXT NOT NULL,
            digest_1 INTEGER NOT NULL, digest_2 INTEGER NOT NULL, question TEXT NOT NULL, cause TEXT NOT NULL,
            language TEXT, hint_level INTEGER NOT NULL, start_seq INTEGER NOT NULL, asked_at INTEGER NOT NULL,
            end_seq INTEGER, status TEXT, reason TEXT, summary TEXT, PRIMARY KEY (session, turn)) WITHOUT ROWID
            """,
            """
            CREATE TABLE feedback (session INTEGER NOT NULL, turn INTEGER NOT NULL, value INTEGER NOT NULL, text TEXT,
            given_at INTEGER NOT NULL, PRIMARY KEY (session, turn)) WITHOUT ROWID
            """,
        ]
    ]

    /// Brings a file up to date.
    ///
    /// A kill leaves it before or after a change, never within. A newer file is refused and not touched.
    package static func migrate(_ database: SQLiteDatabase, by migrations: [[String]]) throws(StoreError) {
        let found = Int(try database.integer("PRAGMA user_version") ?? 0)
        guard found <= migrations.count, found >= 0 else {
            throw StoreError.newerSchema(found: found, known: migrations.count)
        }
        // A file without a version is empty, unless its head is damaged.
        let objects = try database.integer("SELECT count(*) FROM sqlite_schema") ?? 0
        guard found > 0 || objects == 0 else { throw StoreError.corrupt }
        for version in found..<migrations.count {
            try database.transaction { () throws(StoreError) in
                // Another process may have been quicker while this one waited for the lock.
                guard try database.integer("PRAGMA user_version") ?? 0 == Int64(version) else { return }
                for statement in migrations[version] { try database.run(statement) }
                try database.run("PRAGMA user_version = \(version + 1)")
            }
        }
        // Made from the same list, a database in memory has the form that the file must have.
        let model = try SQLiteDatabase(path: ":memory:")
        for statement in migrations.joined() { try model.run(statement) }
        let forms = (try form(database), try form(model))
        guard forms.0 != nil, forms.0 == forms.1 else { throw StoreError.corrupt }
    }

    /// Tables with their columns, and indexes, as one text.
    private static func form(_ database: SQLiteDatabase) throws(StoreError) -> String? {
        do throws(StoreError) {
            let columns = try database.text(
                """
                SELECT group_concat(line) FROM (SELECT m.name || '.' || p.name || ' ' || p.type || p."notnull" || p.pk
                AS line FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table' ORDER BY m.name, p.cid)
                """)
            let indexes = try database.text(
                """
                SELECT group_concat(line) FROM (SELECT m.name || '.' || l.name || l."unique" || l.partial || x.name
                AS line FROM sqlite_schema m, pragma_index_list(m.name) l, pragma_index_info(l.name) x
                WHERE m.type = 'table' ORDER BY l.name, x.seqno)
                """)
            return "\(columns ?? "") \(indexes ?? "")"
        } catch .failed {
            return nil
        }
    }
}
