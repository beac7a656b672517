// FieldGrammar: the character classes and list forms of header fields, on bytes.
// Spec: RFC 9110 §5.5, §5.6

/// The character classes and list forms of header fields, on bytes.
///
/// Bytes and not `String`, because a Swift `Character` may be two bytes (CR LF is one), so that string functions miss
/// delimiters that the protocol sees.
enum FieldGrammar {
    static let space = UInt8(ascii: " ")
    static let tab: UInt8 = 0x09
    static let comma = UInt8(ascii: ",")
    static let quote = UInt8(ascii: "\"")

    /// Whether a byte may stand in a token: method, field name, subprotocol, extension name.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default:
            false
        }
    }

    /// Whether the text is a token: one byte or more, all of them of the token class.
    static func isToken(_ text: some Sequence<UInt8>) -> Bool {
        var count = 0
        for byte in text {
            guard isToken(byte) else { return false }
            count += 1
        }
        return count > 0
    }

    /// Whether a byte may stand in a field value: no control byte but the tab.
    ///
    /// Bytes from 0x80 are opaque.
    static func isFieldValue(_ byte: UInt8) -> Bool {
        byte == tab || (byte >= 0x20 && byte != 0x7F)
    }

    /// The range without spaces and tabs at both ends.
    static func trim(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high, bytes[low] == space || bytes[low] == tab { low += 1 }
        while high > low, bytes[high - 1] == space || bytes[high - 1] == tab { high -= 1 }
        return low..<high
    }

    /// The non-empty members of a comma-separated list, trimmed.
    ///
    /// A comma inside a quoted string does not separate.
    ///
    /// Empty members are skipped, as RFC 9110 §5.6.1.2 asks of a recipient.
    static func members(_ bytes: [UInt8]) -> [Range<Int>] {
        var members: [Range<Int>] = []
        forEachPart(bytes, 0..<bytes.count, separator: comma) { range in
            if !range.isEmpty { members.append(range) }
        }
        return members
    }

    /// Calls `body` with each trimmed part between separators that stand outside quoted strings.
    static func forEachPart(
        _ bytes: [UInt8], _ range: Range<Int>, separator: UInt8, _ body: (Range<Int>) -> Void
    ) {
        var start = range.lowerBound
        var isQuoted = false
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if isQuoted, byte == UInt8(ascii: "\\") {
                index += 1
            } else if byte == quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                body(trim(bytes, start..<index))
                start = index + 1
            }
            index += 1
        }
        body(trim(bytes, start..<range.upperBound))
    }

    /// Whether two texts are equal when ASCII letters of either case count as the same.
    static func isEqualIgnoringCase(_ left: String, _ right: String) -> Bool {
        let (left, right) = (left.utf8, right.utf8)
        return left.count == right.count && zip(left, right).allSatisfy { lowered($0) == lowered($1) }
    }

    private static func lowered(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
