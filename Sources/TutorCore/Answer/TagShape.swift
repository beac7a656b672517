// TagShape: what a scalar counts as where a tag is read.
// Spec: docs/architecture.md (what the model says)

extension Unicode.Scalar {
    /// The ASCII form of full-width brackets, digits and punctuation; other scalars are themselves.
    var tagShape: Unicode.Scalar {
        switch value {
        case 0x3001: ","
        // The full-width block mirrors ASCII from `!` to `~` at a fixed distance.
        case 0xFF01...0xFF5E: Unicode.Scalar(UInt8(truncatingIfNeeded: value - 0xFEE0))
        default: self
        }
    }

    /// The value of an ASCII digit.
    var digit: Int? { ("0"..."9").contains(self) ? Int(value) - 48 : nil }

    /// Whether it is an ASCII letter.
    var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// An ASCII letter in lower case; other scalars are themselves.
    var lowercased: Unicode.Scalar {
        ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(truncatingIfNeeded: value + 32)) : self
    }

    /// Whether it is white space within a line.
    var isInlineSpace: Bool { self == " " || self == "\t" || self == "\u{A0}" || self == "\u{3000}" }

    /// Whether it ends a line.
    var isLineEnd: Bool { self == "\n" || self == "\r" }
}

extension String {
    /// The text without spaces and line ends around it.
    var trimmedSpaces: String {
        var scalars = unicodeScalars[...]
        while let first = scalars.first, first.isInlineSpace || first.isLineEnd { scalars.removeFirst() }
        while let last = scalars.last, last.isInlineSpace || last.isLineEnd { scalars.removeLast() }
        return String(scalars)
    }
}
