// JSONText: a string of a JSON input, as its place there.
// Spec: RFC 8259 §7

/// A string of a JSON input, checked, as its place there.
///
/// Turn it into a String with ``JSONReader/string(_:)``.
public struct JSONText: Sendable, Hashable {
    /// Offset of the first byte after the opening quote.
    public let start: Int
    /// Bytes between the quotes.
    public let count: Int
    /// Whether escapes have to be resolved.
    public let hasEscapes: Bool
}

extension JSONReader {
    /// The text as a String, escapes resolved.
    ///
    /// A lone surrogate escape becomes U+FFFD.
    public func string(_ text: JSONText) -> String {
        precondition(text.start >= 0 && text.start + text.count <= end, "a text of another reader")
        guard text.hasEscapes else {
            return checkedString(start: text.start, count: text.count, isASCII: false)
        }
        return String(decoding: resolved(text), as: UTF8.self)
    }

    /// The length of the text in bytes of UTF-8, escapes resolved.
    func byteCount(_ text: JSONText) -> Int {
        text.hasEscapes ? resolved(text).count : text.count
    }

    /// The bytes of the text, escapes resolved.
    func resolved(_ text: JSONText) -> [UInt8] {
        unsafe JSONEscape.resolve(base: base + text.start, count: text.count)
    }

    /// The text as a packed name.
    @inline(__always)
    func packed(_ text: JSONText) -> PackedName {
        guard !text.hasEscapes else { return PackedName(resolved(text)) }
        guard text.count <= PackedName.maximumByteCount else { return .other }
        // The whole words are read when they lie within the input, even where the text is shorter.
        guard text.start + PackedName.maximumByteCount <= end else {
            return unsafe PackedName([UInt8](UnsafeBufferPointer(start: base + text.start, count: text.count)))
        }
        let low = word(at: text.start)
        if text.count <= 8 { return PackedName(low: low & Self.mask(text.count), high: 0) }
        return PackedName(low: low, high: word(at: text.start + 8) & Self.mask(text.count - 8))
    }

    /// Eight bytes, the first one lowest.
    ///
    /// The caller has checked that they lie within the input.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self))
    }

    /// Keeps the first `count` bytes of a word, 0...8.
    @inline(__always)
    static func mask(_ count: Int) -> UInt64 {
        count >= 8 ? .max : (1 << UInt64(8 * count)) &- 1
    }

    // MARK: Scanning

    /// Checks a key from after its opening quote to past its closing one, and packs it.
    @inline(__always)
    mutating func scanName() throws(JSONError) -> (JSONText, PackedName) {
        let start = position
        if start &+ PackedName.maximumByteCount <= end {
            // Keys of at most 15 plain bytes, which all of ours are: no loop. What ends the scan is a quote when the
            // byte there is one; the bits below that of its word are the key's.
            let low = word(at: start)
            let found = Self.special(low)
            if found != 0 {
                let count = found.trailingZeroBitCount >> 3
                if unsafe base[start &+ count] == UInt8(ascii: "\"") {
                    position = start &+ count &+ 1
                    return (
                        JSONText(start: start, count: count, hasEscapes: false),
                        PackedName(low: low & Self.below(found), high: 0)
                    )
                }
            } else {
                let high = word(at: start &+ 8)
                let found = Self.special(high)
                let count = found.trailingZeroBitCount >> 3
                if found != 0, unsafe base[start &+ 8 &+ count] == UInt8(ascii: "\"") {
                    position = start &+ 8 &+ count &+ 1
                    return (
                        JSONText(start: start, count: 8 &+ count, hasEscapes: false),
                        PackedName(low: low, high: high & Self.below(found))
                    )
                }
            }
        }
        let key = try scanText()
        return (key, packed(key))
    }

    /// All bits of the bytes below the lowest one that is marked by its high bit.
    @inline(__always)
    static func below(_ marks: UInt64) -> UInt64 {
        ((marks & (0 &- marks)) >> 7) &- 1
    }

    /// Checks a string from after its opening quote to past its closing one.
    mutating func scanText() throws(JSONError) -> JSONText {
        let start = position
        var place = start
        var hasEscapes = false
        while true {
            while place &+ 8 <= end {
                let found = Self.special(word(at: place))
                if found == 0 {
                    place &+= 8
                    continue
                }
                place &+= found.trailingZeroBitCount >> 3
                break
            }
            guard place < end else { throw JSONError(.unexpectedEnd, at: end) }
            let byte = unsafe base[place]
            if byte == UInt8(ascii: "\"") {
                position = place &+ 1
                return JSONText(start: start, count: place &- start, hasEscapes: hasEscapes)
            } else if byte >= 0x80 {
                place = try unsafe Self.skipSequences(base, at: place, end: end)
            } else if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                place = try unsafe Self.skipEscape(base, at: place, end: end)
            } else if byte < 0x20 {
                throw JSONError(.controlCharacter, at: place)
            } else {
                // Ordinary; only within the last seven bytes of the input.
                place &+= 1
            }
        }
    }

    /// The high bit of each byte that ends the fast scan: quote, backslash, control, non-ASCII.
    ///
    /// Bits above the lowest one set may be wrong (a borrow runs upwards); the lowest is exact.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let found = ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | (word &- ones &* 0x20) | word
        return found & (ones &* 0x80)
    }

    @unsafe
    private static func skipEscape(
        _ base: UnsafePointer<UInt8>, at place: Int, end: Int
    ) throws(JSONError) -> Int {
        guard place + 1 < end else { throw JSONError(.unexpectedEnd, at: end) }
        switch unsafe base[place + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return place + 2
        case UInt8(ascii: "u"):
            for digit in place + 2..<place + 6 {
                guard digit < end else { throw JSONError(.unexpectedEnd, at: end) }
                guard unsafe JSONEscape.value(ofHexDigit: base[digit]) != nil else {
                    throw JSONError(.invalidEscape, at: place)
                }
            }
            return place + 6
        default:
            throw JSONError(.invalidEscape, at: place)
        }
    }

    /// Checks UTF-8 sequences from a byte that is not ASCII to the next one that is (RFC 3629 §4).
    @unsafe
    private static func skipSequences(
        _ base: UnsafePointer<UInt8>, at first: Int, end: Int
    ) throws(JSONError) -> Int {
        var place = first
        while place < end {
            let lead = unsafe base[place]
            if lead < 0x80 { break }
            let length: Int
            var lowest: UInt8 = 0x80
            var highest: UInt8 = 0xBF
            switch lead {
            case 0xC2...0xDF: length = 2
            case 0xE0:
                length = 3
                lowest = 0xA0
            case 0xED:
                length = 3
                highest = 0x9F
            case 0xE1...0xEF: length = 3
            case 0xF0:
                length = 4
                lowest = 0x90
            case 0xF4:
                length = 4
                highest = 0x8F
            case 0xF1...0xF3: length = 4
            default: throw JSONError(.invalidUTF8, at: place)
            }
            guard length <= end &- place else { throw JSONError(.invalidUTF8, at: place) }
            let second = unsafe base[place &+ 1]
            guard second >= lowest, second <= highest else { throw JSONError(.invalidUTF8, at: place) }
            var index = 2
            while index < length {
                guard unsafe base[place &+ index] & 0xC0 == 0x80 else { throw JSONError(.invalidUTF8, at: place) }
                index &+= 1
            }
            place &+= length
        }
        return place
    }
}
