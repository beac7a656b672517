// Mailbox: how every other thread hands work to a shard.
// Source: eventfd(2)

internal import CLinux
internal import Glibc
internal import Synchronization

/// How every other thread hands work to a shard: a locked list, and an eventfd that wakes the shard's `epoll_wait`.
///
/// The eventfd is written only when the list was empty, so a burst of posts costs one wake-up. The list has no limit
/// of its own; what posts (accepted sockets, store replies, timers of other shards) is limited at its source.
final class Mailbox: Sendable {
    enum Entry: Sendable {
        case job(UnownedJob)
        case work(@Sendable (isolated Shard) -> Void)

        var isJob: Bool {
            if case .job = self { true } else { false }
        }
    }

    /// Readable while there is something in the list.
    let descriptor: Int32
    private let entries = Mutex<[Entry]>([])

    init() throws(NetError) {
        descriptor = chalkline_eventfd()
        guard descriptor >= 0 else { throw .systemCall("eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds work and wakes the shard.
    ///
    /// Any thread.
    func post(_ entry: Entry) {
        let wasEmpty = entries.withLock { list in
            list.append(entry)
            return list.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        // The counter cannot overflow: it is written only when the list was empty. EINTR cannot happen, it never blocks.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes everything, when the eventfd was readable.
    ///
    /// Only the shard.
    ///
    /// The eventfd is cleared first: a post that comes between the two steps is either taken or rings again. The other
    /// way round its ring could be cleared with its entry left behind, and the shard would sleep on it.
    func take() -> [Entry] {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        return entries.withLock { list in
            let all = list
            list = []
            return all
        }
    }
}
