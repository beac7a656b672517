// TurnHistory: what the last turns were about, for those who ask for the next hint.
// Spec: docs/protocol.md §5 rule 11

public import TutorProtocol

/// What the last turns were about.
///
/// Bounded: the oldest is forgotten.
public struct TurnHistory: Sendable, Hashable {
    private let capacity: Int
    /// Oldest first; short enough to be searched.
    private var records: [TurnRecord] = []

    /// Makes an empty history of at most `capacity` turns.
    public init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many turns are remembered.
    public var count: Int { records.count }

    /// What a turn was about; nil when it is unknown or forgotten.
    public subscript(turn: TurnID) -> TurnRecord? {
        records.last { $0.turn == turn }
    }

    /// Remembers a turn, in place of what was known of it.
    public mutating func put(_ record: TurnRecord) {
        if let index = records.lastIndex(where: { $0.turn == record.turn }) {
            records[index] = record
            return
        }
        if records.count >= capacity { records.removeFirst(records.count - capacity + 1) }
        records.append(record)
    }

    /// Forgets all turns.
    public mutating func removeAll() { records.removeAll() }

    /// Forgets the turns that stand in a list exactly as they do here.
    mutating func remove(_ known: [TurnRecord]) {
        records.removeAll { known.contains($0) }
    }

    /// The turns, oldest first.
    var all: [TurnRecord] { records }
}
