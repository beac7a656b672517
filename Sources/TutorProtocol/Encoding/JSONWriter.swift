// JSONWriter: appends JSON tokens to a buffer of bytes.
// Spec: RFC 8259

/// Appends JSON tokens to a buffer of bytes.
///
/// Structure is the caller's: it appends braces, keys and commas as literals.
///
/// Nothing is allocated but what the buffer grows by.
public enum JSONWriter {
    /// Appends bytes as they are: punctuation, keys, names that need no escapes.
    @inline(__always)
    public static func append(literal: StaticString, to buffer: inout [UInt8]) {
        unsafe buffer.append(
            contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Appends a text in quotes, escaped where it must be.
    public static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        append(contentsOf: text, to: &buffer)
        buffer.append(UInt8(ascii: "\""))
    }

    /// Appends a text without quotes, escaped where it must be.
    public static func append(contentsOf text: String, to buffer: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe append(escaping: base, count: bytes.count, to: &buffer)
        }
    }

    /// Appends a whole number.
    public static func append(_ number: Int64, to buffer: inout [UInt8]) {
        if number < 0 { buffer.append(UInt8(ascii: "-")) }
        append(digits: number.magnitude, to: &buffer)
    }

    /// Appends a whole number.
    public static func append(_ number: Int, to buffer: inout [UInt8]) { append(Int64(number), to: &buffer) }

    /// Appends `true` or `false`.
    public static func append(_ value: Bool, to buffer: inout [UInt8]) {
        append(literal: value ? "true" : "false", to: &buffer)
    }

    /// Appends a number in the shortest form that reads back the same; `null` for one that JSON cannot say.
    public static func append(_ number: Double, to buffer: inout [UInt8]) {
        if let whole = Int64(ifWhole: number) {
            append(whole, to: &buffer)
        } else if number.isFinite {
            buffer.append(contentsOf: number.description.utf8)
        } else {
            append(literal: "null", to: &buffer)
        }
    }

    /// Appends a number with at most six decimals and no zeros at the end: a thousandth of a pixel on any screen.
    public static func append(sixDecimals number: Double, to buffer: inout [UInt8]) {
        // Beyond this a Double has no six decimals to round. (Not `rounded()`: it would need the C maths library.)
        let scaled = number.magnitude * 1_000_000 + 0.5
        guard scaled < 9e15 else { return append(number, to: &buffer) }
        let (whole, fraction) = UInt64(scaled).quotientAndRemainder(dividingBy: 1_000_000)
        if number < 0, whole != 0 || fraction != 0 { buffer.append(UInt8(ascii: "-")) }
        append(digits: whole, to: &buffer)
        guard fraction != 0 else { return }
        buffer.append(UInt8(ascii: "."))
        var rest = fraction
        var unit: UInt64 = 100_000
        while rest != 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    /// Appends a box as [x, y, width, height].
    public static func append(_ box: Box, to buffer: inout [UInt8]) {
        append(literal: "[", to: &buffer)
        append(sixDecimals: box.x, to: &buffer)
        append(literal: ",", to: &buffer)
        append(sixDecimals: box.y, to: &buffer)
        append(literal: ",", to: &buffer)
        append(sixDecimals: box.width, to: &buffer)
        append(literal: ",", to: &buffer)
        append(sixDecimals: box.height, to: &buffer)
        append(literal: "]", to: &buffer)
    }

    // MARK: Parts

    private static func append(digits number: UInt64, to buffer: inout [UInt8]) {
        if number < 10 { return buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number)) }
        var unit: UInt64 = 10
        while number / unit >= 10 { unit *= 10 }
        var rest = number
        while unit > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        }
    }

    /// Copies in runs: eight bytes at a time are looked at for a quote, a backslash or a control character.
    @unsafe
    private static func append(escaping base: UnsafePointer<UInt8>, count: Int, to buffer: inout [UInt8]) {
        var done = 0
        var place = 0
        while place < count {
            while place &+ 8 <= count {
                let word = UInt64(littleEndian: unsafe UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
                let found = special(word)
                if found == 0 {
                    place &+= 8
                    continue
                }
                place &+= found.trailingZeroBitCount >> 3
                break
            }
            guard place < count else { break }
            let byte = unsafe base[place]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: base + done, count: place - done))
                append(escape: byte, to: &buffer)
                done = place + 1
            }
            place &+= 1
        }
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: base + done, count: count - done))
    }

    /// The high bit of each byte that may need an escape; the lowest bit set is exact, those above may be wrong.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found =
            ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | ((word &- ones &* 0x20) & ~word)
        return found & (ones &* 0x80)
    }

    private static func append(escape byte: UInt8, to buffer: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): append(literal: "\\\"", to: &buffer)
        case UInt8(ascii: "\\"): append(literal: "\\\\", to: &buffer)
        case 0x08: append(literal: "\\b", to: &buffer)
        case 0x09: append(literal: "\\t", to: &buffer)
        case 0x0A: append(literal: "\\n", to: &buffer)
        case 0x0C: append(literal: "\\f", to: &buffer)
        case 0x0D: append(literal: "\\r", to: &buffer)
        default:
            append(literal: byte < 0x10 ? "\\u000" : "\\u001", to: &buffer)
            let low = byte & 0xF
            buffer.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }
}
