// DueHeap: streams by when their next token is due.

/// Streams by when their next token is due; a binary heap.
struct DueHeap {
    struct Entry {
        /// Monotonic, in nanoseconds.
        var due: UInt64
        var tag: Int
    }

    private var entries: [Entry] = []

    /// The nearest.
    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var index = entries.count - 1
        while index > 0, entries[index].due < entries[(index - 1) / 2].due {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < entries.count {
                if entries[child].due < entries[least].due { least = child }
            }
            guard least != index else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
