// TextPieces: cuts a text into pieces the size of words.
// Spec: docs/models.md (built-in model)

/// Cuts a text into pieces the size of words: a word with the space after it, or two characters of a script that writes
/// no spaces.
///
/// Never inside a character.
package struct TextPieces: Sequence {
    /// The text.
    package let text: String
    /// Longest piece in characters.
    ///
    /// Default 24: a formula without spaces is cut too.
    package var maximumCharacters = 24

    /// Makes the pieces of a text.
    package init(text: String) { self.text = text }

    /// The pieces in order; joined, they are the text.
    package func makeIterator() -> AnyIterator<String> {
        var rest = text[...]
        return AnyIterator {
            var end = rest.startIndex
            var count = 0
            var wide = 0
            while end < rest.endIndex, count < maximumCharacters, wide < 2 {
                let character = rest[end]
                let isSpace = character.isWhitespace
                // A space ends its word, and spaces after it belong to the same piece.
                if !isSpace, end > rest.startIndex, rest[rest.index(before: end)].isWhitespace { break }
                if let scalar = character.unicodeScalars.first, scalar.value >= 0x2E80 { wide += 1 }
                end = rest.index(after: end)
                count += 1
            }
            guard end > rest.startIndex else { return nil }
            let piece = String(rest[..<end])
            rest = rest[end...]
            return piece
        }
    }
}
