// StoreReadLimits: how much of a session is read back.
// Spec: docs/reliability.md (reading)

/// How much of a session is read back: the newest part of its log, and its newest turns.
public struct StoreReadLimits: Sendable, Hashable {
    /// Most entries of the log.
    ///
    /// Default 2 000, as the log in memory.
    public var entries: Int
    /// Most bytes of the log as it is stored.
    ///
    /// Default 1 MiB.
    public var bytes: Int
    /// Most turns.
    ///
    /// Default 64.
    public var turns: Int

    /// Makes limits; each has a default.
    public init(entries: Int = 2_000, bytes: Int = 1_048_576, turns: Int = 64) {
        self.entries = entries
        self.bytes = bytes
        self.turns = turns
    }
}
