// PackedName: a short key or name as two machine words.
// Spec: none; see JSONReader

/// A key or name of at most 16 bytes as two machine words, the first byte lowest, padded with zeros.
///
/// Goal: tell a key apart by integer comparison, without making a String. Names of the protocol are spelled as literals
/// whose words the compiler folds into constants. A name that does not fit is ``other``, which equals no literal: its
/// bytes are 0xFF, which UTF-8 never uses.
struct PackedName: Hashable, ExpressibleByStringLiteral {
    /// Longest name that keeps its own value, in bytes.
    static let maximumByteCount = 16
    /// A name that is too long, or holds a zero byte.
    static var other: Self { Self(low: .max, high: .max) }

    let low: UInt64
    let high: UInt64

    @inline(__always)
    init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// At most 16 bytes of ASCII.
    @inline(__always)
    init(stringLiteral name: StaticString) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        let bytes = unsafe name.utf8Start
        let count = name.utf8CodeUnitCount
        var index = 0
        while index < count {
            let byte = unsafe UInt64(bytes[index])
            if index < 8 { low |= byte << UInt64(8 * index) } else { high |= byte << UInt64(8 * (index - 8)) }
            index += 1
        }
        self.init(low: low, high: high)
    }

    /// Any bytes; used where they are not at hand as one machine word.
    init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumByteCount, !bytes.contains(0) else {
            self = .other
            return
        }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            if index < 8 {
                low |= UInt64(byte) << UInt64(8 * index)
            } else {
                high |= UInt64(byte) << UInt64(8 * (index - 8))
            }
        }
        self.init(low: low, high: high)
    }

    /// By words: cheaper than the synthesised one in debug builds, the same otherwise.
    @inline(__always)
    static func ~= (pattern: Self, name: Self) -> Bool {
        pattern.low == name.low && pattern.high == name.high
    }
}
