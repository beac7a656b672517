// JSONEscape: what the escapes of a checked JSON string stand for.
// Spec: RFC 8259 §7

/// What the escapes of a checked JSON string stand for.
enum JSONEscape {
    /// Resolves the escapes of a string that the reader has checked.
    ///
    /// A surrogate without its partner becomes U+FFFD, as happens to texts that were cut between UTF-16 units.
    @unsafe
    static func resolve(base: UnsafePointer<UInt8>, count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var place = 0
        while place < count {
            let byte = unsafe base[place]
            guard byte == UInt8(ascii: "\\") else {
                result.append(byte)
                place += 1
                continue
            }
            let kind = unsafe base[place + 1]
            guard kind == UInt8(ascii: "u") else {
                result.append(character(of: kind))
                place += 2
                continue
            }
            let unit = unsafe self.unit(base + place + 2)
            place += 6
            if unit & 0xFC00 == 0xD800, unsafe startsWithLowSurrogate(base + place, count: count - place) {
                let low = unsafe self.unit(base + place + 2)
                place += 6
                append(0x1_0000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)), to: &result)
            } else {
                append(unit & 0xF800 == 0xD800 ? 0xFFFD : UInt32(unit), to: &result)
            }
        }
        return result
    }

    /// The value of a hexadecimal digit.
    @inline(__always)
    static func value(ofHexDigit byte: UInt8) -> UInt16? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(byte - UInt8(ascii: "A") + 10)
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    private static func character(of kind: UInt8) -> UInt8 {
        switch kind {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: kind
        }
    }

    @unsafe
    private static func unit(_ digits: UnsafePointer<UInt8>) -> UInt16 {
        var unit: UInt16 = 0
        for index in 0..<4 { unit = unit << 4 | (unsafe value(ofHexDigit: digits[index]) ?? 0) }
        return unit
    }

    @unsafe
    private static func startsWithLowSurrogate(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard count >= 6, unsafe bytes[0] == UInt8(ascii: "\\"), unsafe bytes[1] == UInt8(ascii: "u") else {
            return false
        }
        return unsafe unit(bytes + 2) & 0xFC00 == 0xDC00
    }

    private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        // Never a surrogate here, so the fallback is not reached; it keeps the code free of a trap.
        let scalar = Unicode.Scalar(scalar) ?? "\u{FFFD}"
        bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
