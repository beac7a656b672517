// KeyStack: the keys of the objects that are open, to refuse repeated ones.
// Spec: RFC 8259 §4 (names should be unique); docs/protocol.md §11

/// The keys of the objects that are open, to refuse repeated ones.
///
/// Plan: up to 32 keys a new one is compared with each before it, by fingerprint, and only where a filter of 64 bits
/// cannot rule a repetition out. An object with more is sorted once, when it ends, and neighbours are compared:
/// O(n log n) whatever keys a client thinks up, and no hash table to flood. Keys are equal when their bytes are equal
/// after escapes are resolved.
@safe
struct KeyStack: ~Copyable {
    private struct Entry {
        /// Equal keys have equal fingerprints; keys of at most eight bytes have their own.
        var fingerprint: UInt64
        var start: UInt32
        /// Bytes of the key times two, plus one when it has escapes.
        var size: UInt32

        var text: JSONText {
            JSONText(start: Int(start), count: Int(size >> 1), hasEscapes: size & 1 != 0)
        }
    }

    /// Whether repetition and number are looked at.
    var isChecking = true
    private let limit: Int
    /// The input.
    private let base: UnsafePointer<UInt8>
    /// Entries of the open objects.
    ///
    /// Before those of each object stands one for the object around it: its filter as `fingerprint`, its first entry as
    /// `start`.
    private var entries: UnsafeMutablePointer<Entry>
    private var capacity = 64
    private var count = 0
    private var first = 0
    /// One bit for each key of the innermost object, by fingerprint.
    private var filter: UInt64 = 0

    /// Most keys that are compared one by one.
    private static let scanned = 32

    @unsafe
    init(base: UnsafePointer<UInt8>, limit: Int) {
        unsafe self.base = base
        self.limit = limit
        unsafe entries = .allocate(capacity: capacity)
    }

    deinit {
        unsafe entries.deallocate()
    }

    /// The newest key.
    var last: JSONText? { count > 0 ? unsafe entries[count &- 1].text : nil }

    mutating func openObject() {
        push(Entry(fingerprint: filter, start: UInt32(truncatingIfNeeded: first), size: 0))
        first = count
        filter = 0
    }

    @inline(__always)
    mutating func append(_ key: JSONText, name: PackedName) throws(JSONError) {
        let entry = Entry(
            fingerprint: name.high == 0 ? name.low : longFingerprint(key, name: name),
            start: UInt32(truncatingIfNeeded: key.start),
            size: UInt32(truncatingIfNeeded: key.count << 1 | (key.hasEscapes ? 1 : 0)))
        let bit: UInt64 = 1 << ((entry.fingerprint &* 0x9E37_79B9_7F4A_7C15) >> 58)
        if filter & bit != 0 || count &- first >= min(limit, Self.scanned) || !isChecking {
            return try appendWithCare(entry)
        }
        filter |= bit
        push(entry)
    }

    mutating func closeObject() throws(JSONError) {
        if count &- first > Self.scanned, isChecking { try checkSorted() }
        let outer = unsafe entries[first &- 1]
        count = first &- 1
        first = Int(outer.start)
        filter = outer.fingerprint
    }

    // MARK: The slow ways

    /// Where the filter does not rule a repetition out, or there are many keys, or the rules are off.
    private mutating func appendWithCare(_ entry: Entry) throws(JSONError) {
        let start = Int(entry.start) - 1
        guard isChecking else {
            // Only the newest key is of interest.
            if count > first { count = first }
            return push(entry)
        }
        guard count - first < limit else { throw JSONError(.tooManyKeys, at: start) }
        if count - first <= Self.scanned {
            for index in first..<count where unsafe entries[index].fingerprint == entry.fingerprint {
                guard unsafe compare(entries[index], entry) != 0 else { throw JSONError(.duplicateKey, at: start) }
            }
        }
        push(entry)
    }

    private func checkSorted() throws(JSONError) {
        var keys: [Entry] = []
        keys.reserveCapacity(count - first)
        for index in first..<count { keys.append(unsafe entries[index]) }
        keys.sort { (left, right) in
            if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
            let order = compare(left, right)
            return order == 0 ? left.start < right.start : order < 0
        }
        for (left, right) in zip(keys, keys.dropFirst()) where left.fingerprint == right.fingerprint {
            guard compare(left, right) != 0 else { throw JSONError(.duplicateKey, at: right.text.start - 1) }
        }
    }

    @inline(__always)
    private mutating func push(_ entry: Entry) {
        if count == capacity { grow() }
        unsafe (entries + count).initialize(to: entry)
        count &+= 1
    }

    private mutating func grow() {
        let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 2)
        unsafe larger.moveInitialize(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = larger
        capacity *= 2
    }

    /// Orders two keys by their bytes: negative, zero or positive.
    private func compare(_ left: Entry, _ right: Entry) -> Int {
        let (left, right) = (left.text, right.text)
        if left.hasEscapes || right.hasEscapes {
            let leftBytes = unsafe JSONEscape.resolve(base: base + left.start, count: left.count)
            let rightBytes = unsafe JSONEscape.resolve(base: base + right.start, count: right.count)
            if leftBytes == rightBytes { return 0 }
            return leftBytes.lexicographicallyPrecedes(rightBytes) ? -1 : 1
        }
        for index in 0..<min(left.count, right.count) {
            let difference = unsafe Int(base[left.start + index]) - Int(base[right.start + index])
            if difference != 0 { return difference }
        }
        return left.count - right.count
    }

    /// Keys of more than eight bytes: theirs are mixed.
    private func longFingerprint(_ key: JSONText, name: PackedName) -> UInt64 {
        if name != .other { return Self.mix(Self.mix(0, name.low), name.high) }
        var mixed: UInt64 = 1
        if key.hasEscapes {
            for byte in unsafe JSONEscape.resolve(base: base + key.start, count: key.count) {
                mixed = Self.mix(mixed, UInt64(byte))
            }
        } else {
            for index in key.start..<key.start + key.count { mixed = Self.mix(mixed, UInt64(unsafe base[index])) }
        }
        return mixed
    }

    @inline(__always)
    private static func mix(_ state: UInt64, _ value: UInt64) -> UInt64 {
        let product = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
        return product ^ product >> 29
    }
}
