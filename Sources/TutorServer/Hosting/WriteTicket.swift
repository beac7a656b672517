// WriteTicket: follows one session's write to whichever shard has the session when it returns.
// Spec: docs/reliability.md (writing)

internal import Synchronization
internal import TutorCore

/// Follows one session's write to whichever shard has the session when it returns.
///
/// A session has at most one write under way, so that no event goes to the disk in two pieces at once; it may move
/// meanwhile. Any thread.
final class WriteTicket: Sendable {
    /// What was written.
    let write: SessionWrite
    private let state: Mutex<(owner: ShardPort, isWritten: Bool?)>

    init(_ write: SessionWrite, owner: ShardPort) {
        self.write = write
        state = Mutex((owner, nil))
    }

    /// Whether it is on disk; nil while it is under way.
    var isWritten: Bool? { state.withLock { $0.isWritten } }

    /// Says that the session has moved.
    func move(to port: ShardPort) { state.withLock { $0.owner = port } }

    /// Says how it went; gives the shard that has to be told.
    func finish(_ isWritten: Bool) -> ShardPort {
        state.withLock { state in
            state.isWritten = isWritten
            return state.owner
        }
    }
}
