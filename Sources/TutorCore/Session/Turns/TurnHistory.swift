// TurnHistory: what the last turns were about, for those who ask for the next hint.
// Spec: docs/protocol.md §5 rule 11

public import TutorProtocol

/// What the last turns were about.
///
/// Bounded: the oldest is forgotten.
public struct TurnHistory: Sendable, Hashable {
    /// What a turn was about.
    public struct Record: Sendable, Hashable {
        /// The turn.
        public var turn: TurnID
        /// The question.
        public var question: String
        /// The language that was asked for, if any.
        public var language: String?
        /// The granted hint level.
        public var hintLevel: Int

        /// Makes a record.
        public init(turn: TurnID, question: String, language: String?, hintLevel: Int) {
            self.turn = turn
            self.question = question
            self.language = language
            self.hintLevel = hintLevel
        }
    }

    private let capacity: Int
    /// Oldest first; short enough to be searched.
    private var records: [Record] = []

    /// Makes an empty history of at most `capacity` turns.
    public init(capacity: Int) { self.capacity = max(1, capacity) }

    /// How many turns are remembered.
    public var count: Int { records.count }

    /// What a turn was about; nil when it is unknown or forgotten.
    public subscript(turn: TurnID) -> Record? {
        records.last { $0.turn == turn }
    }

    /// Remembers a turn.
    public mutating func append(_ record: Record) {
        if records.count >= capacity { records.removeFirst(records.count - capacity + 1) }
        records.append(record)
    }
}
