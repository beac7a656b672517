// RowText: makes a text of the screen safe and short enough for a row.
// Spec: docs/screen.md (rows)

/// Makes a text of the screen safe and short enough for a row.
///
/// Screen text is data. Nothing in it may look like the rows' own marks: line breaks become spaces, characters that
/// one cannot see are dropped, `[[` and `]]` are pulled apart, and a bar between spaces that could begin a forged
/// entry is replaced.
public enum RowText {
    /// Longest text of one element in a row, in characters.
    ///
    /// Default 240: a long sentence; more rarely adds meaning.
    public static let maximumLength = 240

    /// The text as a row may hold it.
    public static func clean(_ text: String, maximumLength: Int = maximumLength) -> String {
        if isPlain(text, maximumLength: maximumLength) { return text }
        var result = ""
        var length = 0
        for character in text {
            let visible = sanitized(character)
            guard !visible.isEmpty else { continue }
            if visible == " ", result.isEmpty || result.last == " " { continue }
            if length >= maximumLength {
                while result.last == " " { result.removeLast() }
                return neutralized(result) + "…"
            }
            result += visible
            length += 1
        }
        while result.last == " " { result.removeLast() }
        return neutralized(result)
    }

    /// Whether a text is fine as it is: short, ASCII, single spaces inside, none of the marks.
    ///
    /// Most texts are.
    private static func isPlain(_ text: String, maximumLength: Int) -> Bool {
        guard text.utf8.count <= maximumLength else { return false }
        var last = UInt8(ascii: " ")
        for byte in text.utf8 {
            switch byte {
            case 0x20: guard last != 0x20 else { return false }
            case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "|"): return false
            case 0x21...0x7E: break
            default: return false
            }
            last = byte
        }
        return last != 0x20 || text.isEmpty
    }

    /// The character without invisible scalars; a space for every kind of white space; empty for nothing.
    private static func sanitized(_ character: Character) -> String {
        if let byte = character.asciiValue, byte > 0x20, byte < 0x7F { return String(character) }
        if let only = character.unicodeScalars.first, (0x3001...0x9FFF).contains(only.value), only.value != 0x3164,
            character.unicodeScalars.count == 1, !isMark(only)
        {
            return String(character)
        }
        if character.isWhitespace { return " " }
        // A mark without a letter would sit on whatever comes before it.
        if let first = character.unicodeScalars.first, isMark(first) { return "" }
        guard character.unicodeScalars.contains(where: \.isInvisible) else { return String(character) }
        var kept = String.UnicodeScalarView()
        // A joiner inside an emoji holds it together; it cannot hide anything there.
        let isEmoji = character.unicodeScalars.contains { $0.properties.isEmojiPresentation }
        for scalar in character.unicodeScalars where !scalar.isInvisible || (isEmoji && isEmojiGlue(scalar)) {
            kept.append(scalar)
        }
        return String(kept)
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .enclosingMark, .nonspacingMark, .spacingMark: true
        default: false
        }
    }

    private static func isEmojiGlue(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0x200D || scalar.value == 0xFE0F
    }

    /// Pulls apart what could be read as a tag or as the next entry of a row.
    private static func neutralized(_ text: String) -> String {
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "|") })
        else { return text }
        var result = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar == last, scalar == "[" || scalar == "]" { result.append(" ") }
            result.append(scalar == "|" && last == " " ? "¦" : scalar)
            last = scalar
        }
        return String(result)
    }
}
