// SessionHandover: a session on its way from one shard to another.
// Spec: docs/decisions/0005-sessions-move.md

internal import TutorCore

/// A session on its way from one shard to another, with everything that belongs to it.
struct SessionHandover: Sendable {
    /// The session; no connection belongs to it any more.
    var session: Session
    /// Its model calls under way; they stay where their sockets are.
    var calls: [ModelCallID: ModelCalls.Place]
    /// The write of it that is under way, if any.
    var write: WriteTicket?
    /// Whether something of it is not on disk.
    var isDirty: Bool
}
