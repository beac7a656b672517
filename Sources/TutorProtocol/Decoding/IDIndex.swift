// IDIndex: finds an id that a list of elements uses twice.
// Spec: docs/protocol.md §4 (duplicate ids)

/// Finds an id that a list of elements uses twice, in O(1) an element.
///
/// Open addressing over positions in the list, 8 bytes for each slot, at most three quarters of them used. The hash is
/// seeded by the process, so that a client cannot choose ids that collide; the seed decides nothing but the speed.
struct IDIndex {
    private struct Slot {
        var hash: UInt32
        /// Position in the list plus one; 0 is free.
        var position: UInt32
    }

    /// What hashing begins with.
    static let seed = UInt64(truncatingIfNeeded: Hasher().finalize()) | 1

    private var slots: [Slot] = []
    private var count = 0

    /// Notes the id of the element at `position`, whose hash is given; false when an earlier element has it.
    mutating func insert(at position: Int, hash: UInt64, in elements: [Element]) -> Bool {
        if 4 * (count + 1) > 3 * slots.count { grow() }
        let mask = slots.count - 1
        let short = UInt32(truncatingIfNeeded: hash >> 32)
        var place = Int(truncatingIfNeeded: short) & mask
        while slots[place].position != 0 {
            if slots[place].hash == short, elements[Int(slots[place].position) - 1].id == elements[position].id {
                return false
            }
            place = (place + 1) & mask
        }
        slots[place] = Slot(hash: short, position: UInt32(truncatingIfNeeded: position + 1))
        count += 1
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(hash: 0, position: 0), count: max(32, old.count * 2))
        let mask = slots.count - 1
        for slot in old where slot.position != 0 {
            var place = Int(truncatingIfNeeded: slot.hash) & mask
            while slots[place].position != 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }

    /// The hash of an id: its bytes eight at a time, the last word padded with zeros.
    static func hash(_ id: ElementID) -> UInt64 {
        var state = seed
        var word: UInt64 = 0
        var shift: UInt64 = 0
        for byte in id.rawValue.utf8 {
            word |= UInt64(byte) << shift
            shift += 8
            if shift == 64 {
                state = mix(state, word)
                (word, shift) = (0, 0)
            }
        }
        return shift == 0 ? state : mix(state, word)
    }

    /// Takes eight more bytes into a hash.
    @inline(__always)
    static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }
}
