// IDIndex: finds an id that a list of elements uses twice.
// Spec: docs/protocol.md §4 (duplicate ids)

/// Finds an id that a list of elements uses twice, in O(1) an element.
///
/// Open addressing over positions in the list. The hash is seeded by the process, so that a client cannot choose ids
/// that collide; the seed decides nothing but the speed.
struct IDIndex {
    private struct Slot {
        var hash: UInt64
        /// Position in the list plus one; 0 is free.
        var position: Int
    }

    private static let seed = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

    private var slots: [Slot] = []
    private var count = 0

    /// Notes the id that is about to stand at `position`; false when an earlier element has it.
    mutating func insert(_ id: ElementID, at position: Int, in elements: [Element]) -> Bool {
        if 2 * (count + 1) > slots.count { grow() }
        let hash = Self.hash(id.rawValue)
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while slots[place].position != 0 {
            if slots[place].hash == hash, elements[slots[place].position - 1].id == id { return false }
            place = (place + 1) & mask
        }
        slots[place] = Slot(hash: hash, position: position + 1)
        count += 1
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, position: 0), count: max(64, old.count * 2))
        let mask = slots.count - 1
        for slot in old where slot.position != 0 {
            var place = Int(truncatingIfNeeded: slot.hash) & mask
            while slots[place].position != 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }

    private static func hash(_ id: String) -> UInt64 {
        var state = seed
        for byte in id.utf8 {
            let product = (state ^ UInt64(byte)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            state = product.high ^ product.low
        }
        return state
    }
}
