// ShortEvent: writes a short `answer.delta` in one piece.
// Spec: docs/protocol.md §5

/// Writes a short `answer.delta` in one piece.
///
/// Goal: a token costs no more than a copy. Each append to an array looks at its owner and its room; here everything is
/// put together on the stack first, and appended once.
@safe
struct ShortEvent: ~Copyable {
    /// Longest text, in bytes, that is written in this way; a token is shorter.
    static let maximumTextBytes = 120
    /// The longest spelling of a byte is `\u001f`; the rest of the event takes less than 128 bytes.
    private static let roomBytes = 6 * maximumTextBytes + 128

    private let base: UnsafeMutablePointer<UInt8>
    private var count = 0

    /// Appends the event if it is short; false when it is not.
    static func append(_ delta: AnswerDelta, seq: Int64, to buffer: inout [UInt8]) -> Bool {
        var text = delta.text
        return text.withUTF8 { bytes in
            guard bytes.count <= maximumTextBytes else { return false }
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: roomBytes) { room in
                guard let base = room.baseAddress else { return false }
                var event = unsafe ShortEvent(base: base)
                event.put(#"{"type":"answer.delta","seq":"#)
                event.put(seq)
                event.put(#","turn":"t"#)
                event.put(Int64(delta.turn.number))
                event.put(#"","text":""#)
                unsafe event.put(escaping: bytes)
                event.put("\"}")
                unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: base, count: event.count))
                return true
            }
        }
    }

    private init(base: UnsafeMutablePointer<UInt8>) { unsafe self.base = base }

    @inline(__always)
    private mutating func put(_ literal: StaticString) {
        let size = literal.utf8CodeUnitCount
        unsafe (base + count).initialize(from: literal.utf8Start, count: size)
        count &+= size
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        unsafe (base + count).initialize(to: byte)
        count &+= 1
    }

    private mutating func put(_ number: Int64) {
        if number < 0 { put(UInt8(ascii: "-")) }
        var rest = number.magnitude
        var size = 1
        var unit: UInt64 = 10
        while rest >= unit, size < 19 {
            unit &*= 10
            size &+= 1
        }
        if rest >= unit { size &+= 1 }
        var place = count &+ size
        count = place
        repeat {
            place &-= 1
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            unsafe (base + place).initialize(to: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit))
            rest = quotient
        } while rest > 0
    }

    /// Copies whole words up to the first byte that needs an escape, then on behind it.
    @unsafe
    private mutating func put(escaping bytes: UnsafeBufferPointer<UInt8>) {
        guard let source = bytes.baseAddress else { return }
        let end = bytes.count
        var place = 0
        while place < end {
            if place &+ 8 <= end {
                let word = unsafe UnsafeRawPointer(source + place).loadUnaligned(as: UInt64.self)
                // Copied whole: what is too much is written over, or lies behind the event's end.
                unsafe UnsafeMutableRawPointer(base + count).storeBytes(of: word, as: UInt64.self)
                let found = JSONWriter.special(UInt64(littleEndian: word))
                let plain = found == 0 ? 8 : found.trailingZeroBitCount >> 3
                place &+= plain
                count &+= plain
                if found == 0 { continue }
            }
            let byte = unsafe source[place]
            place &+= 1
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                put(escape: byte)
            } else {
                put(byte)
            }
        }
    }

    private mutating func put(escape byte: UInt8) {
        put(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(byte)
        case 0x08: put(UInt8(ascii: "b"))
        case 0x09: put(UInt8(ascii: "t"))
        case 0x0A: put(UInt8(ascii: "n"))
        case 0x0C: put(UInt8(ascii: "f"))
        case 0x0D: put(UInt8(ascii: "r"))
        default:
            put(byte < 0x10 ? "u000" : "u001")
            let low = byte & 0xF
            put(low < 10 ? UInt8(ascii: "0") &+ low : UInt8(ascii: "a") &+ low &- 10)
        }
    }
}
