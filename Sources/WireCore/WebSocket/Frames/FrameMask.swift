// FrameMask: XORs a payload with its masking key, eight bytes at a time.
// Spec: RFC 6455 §5.3

/// Applies a masking key to bytes in place.
///
/// The same call masks and unmasks.
package enum FrameMask {
    /// XORs `bytes` with `key` and returns the OR of all resulting bytes, spread over a word.
    ///
    /// Goal: one pass that unmasks and tells whether the text is plain ASCII (no byte with its top bit set), which
    /// saves most messages a second pass for UTF-8. Plan: whole words while they last; the compiler turns that loop
    /// into vector code, which it does not do for `key[i & 3]`. Cost: O(bytes); words are over ten times faster
    /// than bytes on long payloads.
    ///
    /// `key` has key byte 0 in its low byte. `phase` is how many payload bytes came before, modulo 4.
    @inline(__always)
    package static func apply(_ key: UInt32, phase: Int = 0, to bytes: UnsafeMutableRawBufferPointer) -> UInt64 {
        let turn = UInt32(truncatingIfNeeded: (phase & 3) &* 8)
        let turned = (key &>> turn) | (key &<< ((32 &- turn) & 31))
        let wide = UInt64(turned) | (UInt64(turned) &<< 32)
        var seen: UInt64 = 0
        guard let base = bytes.baseAddress else { return 0 }
        var index = 0
        let words = bytes.count & ~7
        while index < words {
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide.littleEndian
            unsafe base.storeBytes(of: word, toByteOffset: index, as: UInt64.self)
            seen |= word
            index &+= 8
        }
        var rest = wide
        if index &+ 4 <= bytes.count {
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt32.self) ^ turned.littleEndian
            unsafe base.storeBytes(of: word, toByteOffset: index, as: UInt32.self)
            seen |= UInt64(word)
            index &+= 4
        }
        while index < bytes.count {
            let byte = unsafe base.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
            unsafe base.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
            seen |= UInt64(byte)
            rest &>>= 8
            index &+= 1
        }
        return seen
    }

    /// The top bit of each byte of a word: set in no byte of ASCII.
    static let nonASCII: UInt64 = 0x8080_8080_8080_8080
}
