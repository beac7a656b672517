// SessionDirectory: which shard has which session.
// Spec: docs/decisions/0005-sessions-move.md, docs/protocol.md §3

internal import Synchronization

/// Which shard has which session, for the whole process.
///
/// A session that is being loaded or moved is claimed: whoever asks for it meanwhile waits for the end of the claim and
/// asks again, so that no session is loaded twice or has two owners. Any thread.
final class SessionDirectory: Sendable {
    /// What a claim finds.
    enum Answer {
        /// Nowhere in memory. The caller has claimed it and must ``settle(_:at:)``.
        case absent
        /// On another shard. The caller has claimed it and must ``settle(_:at:)``.
        case elsewhere(ShardPort)
        /// On the caller's own shard; nothing is claimed.
        case here
        /// Claimed by another; the caller is woken when that is over.
        case taken
        /// Claimed by another, and as many wait for that as may.
        case crowded
    }

    private enum Entry {
        case alive(ShardPort)
        case claimed(waiting: [@Sendable () -> Void])
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// Enters a session that has just begun.
    func add(_ id: String, at port: ShardPort) { entries.withLock { $0[id] = .alive(port) } }

    /// Takes out a session that is over; one that was claimed meanwhile stays claimed.
    func remove(_ id: String) {
        entries.withLock { entries in
            if case .alive = entries[id] { entries[id] = nil }
        }
    }

    /// The shard that has a session; nil while it is claimed, and when there is none.
    func port(of id: String) -> ShardPort? {
        entries.withLock { entries in
            if case .alive(let port) = entries[id] { port } else { nil }
        }
    }

    /// Asks for a session, on behalf of a client that was accepted on `port`.
    ///
    /// `wake` is called, on whatever thread ends the claim, when the answer is `taken`.
    func claim(_ id: String, for port: ShardPort, wake: @escaping @Sendable () -> Void) -> Answer {
        entries.withLock { entries in
            switch entries[id] {
            case nil:
                entries[id] = .claimed(waiting: [])
                return .absent
            case .alive(let owner) where owner === port:
                return .here
            case .alive(let owner):
                entries[id] = .claimed(waiting: [])
                return .elsewhere(owner)
            case .claimed(var waiting):
                guard waiting.count < Self.waitingLimit else { return .crowded }
                waiting.append(wake)
                entries[id] = .claimed(waiting: waiting)
                return .taken
            }
        }
    }

    /// Ends a claim: the session is on this shard now, or nowhere.
    func settle(_ id: String, at port: ShardPort?) {
        let waiting = entries.withLock { entries -> [@Sendable () -> Void] in
            guard case .claimed(let waiting) = entries[id] else { return [] }
            entries[id] = port.map(Entry.alive)
            return waiting
        }
        for wake in waiting { wake() }
    }

    /// Most connections that wait for one session.
    ///
    /// 16: a client has one or two at a time.
    static let waitingLimit = 16
}
