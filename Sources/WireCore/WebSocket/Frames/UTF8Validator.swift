// UTF8Validator: checks text that arrives in pieces, and stops at the first wrong byte.
// Spec: RFC 6455 §8.1; RFC 3629 §4

/// Checks UTF-8 incrementally: any split of the same bytes gives the same verdict at the same byte.
///
/// Overlong forms, surrogates and values above U+10FFFF are refused. The state is three bytes: how many continuation
/// bytes are still due, and the range that the next one must lie in (only the byte after E0, ED, F0 and F4 is narrower
/// than 80…BF).
public struct UTF8Validator: Sendable, Hashable {
    private var due: UInt8 = 0
    private var low: UInt8 = 0x80
    private var high: UInt8 = 0xBF

    /// A validator at the start of a text.
    public init() {}

    /// Whether the text may end here: no character is half done.
    public var isComplete: Bool { due == 0 }

    /// Takes the next bytes; false as soon as they cannot be the continuation of any valid text.
    ///
    /// After false the state means nothing any more. O(n); ASCII is skipped 32 bytes at a time.
    public mutating func validate(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        let end = bytes.count
        var index = 0
        while index < end {
            if due != 0 {
                let byte = unsafe base.load(fromByteOffset: index, as: UInt8.self)
                guard byte >= low, byte <= high else { return false }
                due &-= 1
                low = 0x80
                high = 0xBF
                index &+= 1
                continue
            }
            index = unsafe Self.skipASCII(base, from: index, to: end)
            index = unsafe Self.skipThreeByte(base, from: index, to: end)
            guard index < end else { break }
            let lead = unsafe base.load(fromByteOffset: index, as: UInt8.self)
            index &+= 1
            guard lead < 0x80 || begin(lead) else { return false }
        }
        return true
    }

    /// Takes the next bytes from an array.
    public mutating func validate(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe validate($0) }
    }

    /// Takes the first byte of a character of two to four bytes.
    @inline(__always)
    private mutating func begin(_ lead: UInt8) -> Bool {
        switch lead {
        case 0xC2...0xDF: due = 1
        case 0xE0: (due, low) = (2, 0xA0)  // below would be overlong
        case 0xED: (due, high) = (2, 0x9F)  // above would be a surrogate
        case 0xE1...0xEF: due = 2
        case 0xF0: (due, low) = (3, 0x90)  // below would be overlong
        case 0xF4: (due, high) = (3, 0x8F)  // above would pass U+10FFFF
        case 0xF1...0xF3: due = 3
        default: return false
        }
        return true
    }

    @inline(__always)
    private static func skipASCII(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        while index &+ 32 <= end {
            let first = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let second = unsafe base.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
            let third = unsafe base.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
            let fourth = unsafe base.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
            guard (first | second | third | fourth) & FrameMask.nonASCII == 0 else { break }
            index &+= 32
        }
        while index &+ 8 <= end {
            let high = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            let marks = high & FrameMask.nonASCII
            guard marks == 0 else { return index &+ marks.trailingZeroBitCount / 8 }
            index &+= 8
        }
        return index
    }

    /// Skips characters of three bytes that need no narrower range, as most Chinese text has.
    @inline(__always)
    private static func skipThreeByte(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var index = start
        // Two at a time. E0 and ED have a narrower second byte: they fall through to the careful path.
        while index &+ 8 <= end {
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
            guard word & 0x0000_C0C0_F0C0_C0F0 == 0x0000_8080_E080_80E0 else { break }
            let leads = (word & 0x0F, (word &>> 24) & 0x0F)
            guard leads.0 != 0, leads.0 != 0x0D, leads.1 != 0, leads.1 != 0x0D else { break }
            index &+= 6
        }
        while index &+ 4 <= end {
            let word = unsafe base.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian
            // Low byte first: 1110xxxx 10xxxxxx 10xxxxxx, the fourth byte is not looked at.
            guard word & 0x00C0_C0F0 == 0x0080_80E0 else { break }
            let lead = word & 0x0F
            guard lead != 0, lead != 0x0D else { break }
            index &+= 3
        }
        return index
    }
}
