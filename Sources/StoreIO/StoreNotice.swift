// StoreNotice: what the operator is to hear of the store.
// Spec: docs/reliability.md

/// What the operator is to hear of the store: one line of the log.
///
/// Notices of one kind come at most once a minute (``StoreSettings/noticeMilliseconds``).
public struct StoreNotice: Sendable, Hashable {
    /// What happened.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A row could not be read and was passed over.
        case damagedRow = "damaged_row"
        /// The disk does not take anything; tutoring goes on.
        case degraded
        /// The disk takes writes again.
        case healed
        /// A damaged file was moved aside; a new one is in its place.
        case quarantined
        /// Something that the store does by itself did not work and is tried again later.
        case upkeep
        /// The write-ahead log is too long: another process reads the file and does not end.
        case walLarge = "wal_large"
    }

    /// What happened.
    public var kind: Kind
    /// One plain sentence; no payload, no secret.
    public var message: String

    /// Makes a notice.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    /// Whether somebody has to look at it.
    public var isAlarm: Bool { kind == .quarantined || kind == .degraded }
}
