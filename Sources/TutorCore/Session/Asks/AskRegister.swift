// AskRegister: what became of each ask, so that none runs twice.
// Spec: docs/protocol.md §5 rule 3

public import TutorProtocol

/// What became of each ask of the last minutes, so that an ask that is sent again never runs again.
///
/// Bounded by count, by age and by the bytes of kept answers. The first two fit together: the rate limit lets fewer
/// asks through in that time than there is room for.
public struct AskRegister: Sendable, Hashable {
    /// One ask.
    public struct Entry: Sendable, Hashable {
        /// Its content.
        public var digest: AskDigest
        /// The seq of its `turn.start`; nil while it waits for a screen.
        public var startSeq: Int64?
        /// Its `turn.end`; nil while it runs, or when the room for kept answers is used up.
        public var end: LoggedEvent?
        /// Whether its turn is over.
        fileprivate var isOver = false
        /// When it may be forgotten.
        fileprivate var until: Duration
    }

    private let capacity: Int
    private let memory: Duration
    private let answerBytes: Int
    private var entries: [MessageID: Entry] = [:]
    /// Ids in the order in which they came, and so in the order in which they are forgotten.
    private var order = Queue()
    /// Ids whose `end` is kept, oldest end first.
    private var ended = Queue()
    private var keptBytes = 0

    /// Makes an empty register.
    public init(capacity: Int, memory: Duration, answerBytes: Int) {
        self.capacity = max(1, capacity)
        self.memory = memory
        self.answerBytes = max(0, answerBytes)
    }

    /// How many asks are remembered.
    public var count: Int { entries.count }

    /// What is known of an ask; nil when its id is new or forgotten.
    public mutating func entry(_ id: MessageID, now: Duration) -> Entry? {
        forget(now: now)
        return entries[id]
    }

    /// Remembers an accepted ask.
    public mutating func insert(_ id: MessageID, digest: AskDigest, now: Duration) {
        forget(now: now)
        while entries.count >= capacity, let oldest = order.popFirst() { remove(oldest) }
        guard entries[id] == nil else { return }
        entries[id] = Entry(digest: digest, startSeq: nil, end: nil, until: now + memory)
        order.append(id)
    }

    /// Notes where the turn of an ask began.
    public mutating func start(_ id: MessageID, seq: Int64) {
        entries[id]?.startSeq = seq
    }

    /// Notes that the turn of an ask is over, and keeps its `turn.end`, since the log may lose it before the ask is forgotten.
    ///
    /// Nil where it is not known any more.
    public mutating func end(_ id: MessageID, _ event: LoggedEvent?) {
        guard entries[id]?.isOver == false else { return }
        entries[id]?.isOver = true
        guard let event else { return }
        entries[id]?.end = event
        ended.append(id)
        keptBytes += event.event.textBytes
        while keptBytes > answerBytes, let oldest = ended.first { dropEnd(oldest) }
    }

    /// Forgets what was answered; that the asks were there stays known.
    public mutating func removeAnswers() {
        while let oldest = ended.first { dropEnd(oldest) }
    }

    /// An ask whose turn runs is not forgotten, however long it takes; the younger ones wait behind it.
    private mutating func forget(now: Duration) {
        while let oldest = order.first, let entry = entries[oldest], entry.isOver, entry.until <= now {
            _ = order.popFirst()
            remove(oldest)
        }
    }

    private mutating func remove(_ id: MessageID) {
        dropEnd(id)
        entries[id] = nil
    }

    /// Turns end in the order of their asks, so the ends that are dropped stand first in their queue.
    private mutating func dropEnd(_ id: MessageID) {
        guard let end = entries[id]?.end else { return }
        keptBytes -= end.event.textBytes
        entries[id]?.end = nil
        while let first = ended.first, entries[first]?.end == nil { _ = ended.popFirst() }
    }

    /// First in, first out; what was taken is cut off in large pieces, so that taking costs O(1) on average.
    private struct Queue: Sendable, Hashable {
        private var ids: [MessageID] = []
        private var head = 0

        var first: MessageID? { head < ids.count ? ids[head] : nil }

        mutating func append(_ id: MessageID) { ids.append(id) }

        mutating func popFirst() -> MessageID? {
            guard let id = first else { return nil }
            head += 1
            if head >= 64, head * 2 >= ids.count {
                ids.removeFirst(head)
                head = 0
            }
            return id
        }
    }
}
