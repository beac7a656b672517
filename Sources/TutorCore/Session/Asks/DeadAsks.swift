// DeadAsks: the asks that were cancelled before they came.
// Spec: docs/protocol.md §5 rule 4

public import TutorProtocol

/// The asks that were cancelled before they came.
///
/// A bounded list: the oldest gives way.
public struct DeadAsks: Sendable, Hashable {
    private let capacity: Int
    private let memory: Duration
    /// Oldest first; short enough to be searched.
    private var entries: [Entry] = []

    private struct Entry: Sendable, Hashable {
        var id: MessageID
        var until: Duration
    }

    /// Makes an empty list of at most `capacity` ids, each kept for `memory`.
    public init(capacity: Int, memory: Duration) {
        self.capacity = max(1, capacity)
        self.memory = memory
    }

    /// How many ids are kept.
    public var count: Int { entries.count }

    /// Marks an id as dead; once more starts its time anew.
    public mutating func insert(_ id: MessageID, now: Duration) {
        entries.removeAll { $0.until <= now || $0.id == id }
        if entries.count >= capacity { entries.removeFirst(entries.count - capacity + 1) }
        entries.append(Entry(id: id, until: now + memory))
    }

    /// Whether the id is dead, once: the ask has come now.
    public mutating func remove(_ id: MessageID, now: Duration) -> Bool {
        entries.removeAll { $0.until <= now }
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
        entries.remove(at: index)
        return true
    }
}
