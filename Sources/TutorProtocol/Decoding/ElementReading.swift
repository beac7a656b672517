// ElementReading: what was found while an element was read, beside its values.
// Spec: docs/protocol.md §4 (element, `update`)

/// What was found while an element was read, beside its values; whether that is enough is the caller's question.
struct ElementReading {
    /// The keys that an element may have.
    struct Keys: OptionSet {
        let rawValue: UInt16

        static let id = Self(rawValue: 1 << 0)
        static let kind = Self(rawValue: 1 << 1)
        static let content = Self(rawValue: 1 << 2)
        static let box = Self(rawValue: 1 << 3)
        static let placeholder = Self(rawValue: 1 << 4)
        static let value = Self(rawValue: 1 << 5)
        static let label = Self(rawValue: 1 << 6)
        static let states = Self(rawValue: 1 << 7)
        static let region = Self(rawValue: 1 << 8)
        static let line = Self(rawValue: 1 << 9)
        static let parent = Self(rawValue: 1 << 10)
    }

    /// Offset of the object.
    let start: Int
    /// The keys that the object had, `null` or not; but ``Keys/id`` only with an id.
    var seen: Keys = []
    /// Offset of the id, 0 where the object has no such key.
    var idStart = 0
    /// The id's hash.
    var idHash: UInt64 = 0

    init(start: Int) { self.start = start }

    /// Notes a key; false when it was there before.
    @inline(__always)
    mutating func note(_ key: Keys) -> Bool {
        let isNew = seen.rawValue & key.rawValue == 0
        seen = Keys(rawValue: seen.rawValue | key.rawValue)
        return isNew
    }
}

extension Element {
    /// Stands where an element is about to be read.
    @inline(__always)
    static var unread: Self {
        Self(id: ElementID(checked: ""), kind: .other, content: "", box: .zero)
    }
}
