// SessionRecord: what is kept on disk of a session as a whole.
// Spec: docs/reliability.md (what is kept), docs/protocol.md §3

/// What is kept on disk of a session as a whole.
///
/// It holds no key: resume keys are derived from a secret of the server, and only their generation is kept.
public struct SessionRecord: Sendable, Hashable {
    /// A stretch of the log that one process wrote.
    public struct Epoch: Sendable, Hashable {
        /// Its name, as clients store it beside `seq`.
        public var name: String
        /// The last `seq` of it that is on disk; nil while it lasts.
        public var end: Int64?

        /// Makes an epoch.
        public init(name: String, end: Int64?) {
            self.name = name
            self.end = end
        }
    }

    /// The session's public name.
    public var id: String
    /// Whose it is: the token's `sub`; nil where the server runs without tokens.
    public var subject: String?
    /// The room of the token; nil without one.
    public var room: String?
    /// The epochs, oldest first, the running one last; at most ``maximumEpochs``.
    public var epochs: [Epoch]
    /// The lowest generation of resume keys that is still accepted.
    public var keyGeneration: Int64
    /// The newest turn; 0 for none.
    public var lastTurn: Int
    /// The newest `seq`; 0 for none.
    public var lastSeq: Int64
    /// The hint level that the student's work has earned.
    public var hintCeiling: Int
    /// When it began, in milliseconds since 1970.
    public var createdAt: Int64
    /// When it was written last, in milliseconds since 1970; what retention goes by.
    public var touchedAt: Int64

    /// Most epochs that are remembered.
    ///
    /// Default 8: a client from before eight restarts gets a snapshot.
    public static let maximumEpochs = 8

    /// Makes a record.
    public init(
        id: String, subject: String?, room: String?, epochs: [Epoch], keyGeneration: Int64, lastTurn: Int,
        lastSeq: Int64, hintCeiling: Int, createdAt: Int64, touchedAt: Int64
    ) {
        self.id = id
        self.subject = subject
        self.room = room
        self.epochs = epochs
        self.keyGeneration = keyGeneration
        self.lastTurn = lastTurn
        self.lastSeq = lastSeq
        self.hintCeiling = hintCeiling
        self.createdAt = createdAt
        self.touchedAt = touchedAt
    }
}
