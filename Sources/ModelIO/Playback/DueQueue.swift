// DueQueue: what is due when, the earliest first.
// Spec: docs/models.md (built-in and scripted model)

/// What is due when, the earliest first and equal ones by token: a binary heap, so that a thousand answers played at
/// once cost a few comparisons a piece.
struct DueQueue {
    /// One call's next moment.
    struct Entry: Comparable {
        var due: Duration
        var token: UInt64

        /// By time, then by token.
        static func < (left: Self, right: Self) -> Bool { (left.due, left.token) < (right.due, right.token) }
    }

    private var heap: [Entry] = []

    /// How many entries there are.
    var count: Int { heap.count }

    /// The earliest entry.
    var first: Entry? { heap.first }

    /// Adds an entry.
    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Drops the earliest entry.
    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    /// Drops the entries that do not fit.
    mutating func keepOnly(_ fits: (Entry) -> Bool) {
        // A sorted list is a heap.
        heap = heap.filter(fits).sorted()
    }
}
