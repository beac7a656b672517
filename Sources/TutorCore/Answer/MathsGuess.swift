// MathsGuess: whether what follows a `$` reads like maths or like a price and prose.
// Spec: docs/architecture.md (what the model says)

/// Whether what follows a `$` reads like maths or like a price and prose.
///
/// A tag must leave the moment it is complete, so nobody can wait for the closing `$`; the guess uses only what is
/// already there. An amount alone (`$5`, `$5 – 10`), an amount and a word (`$5 each`), a word of three letters after a
/// space outside braces, and a letter of a script that formulas do not use all read like prose.
struct MathsGuess {
    /// Whether it still reads like maths.
    var isMaths: Bool { !isProse && !(startsWithDigit && isAmount) }

    private var isProse = false
    private var isAmount = true
    private var startsWithDigit = false
    private var isEmpty = true
    private var isInCommand = false
    private var isAfterSpace = false
    private var braceDepth = 0
    private var wordLength = 0
    private var wordFollowsSpace = false

    /// Reads one scalar after the `$`.
    mutating func advance(_ scalar: Unicode.Scalar) {
        if isProse { return }
        if isEmpty { startsWithDigit = scalar.digit != nil }
        isEmpty = false
        if isInCommand, scalar.isLetter { return }
        isInCommand = scalar == "\\"
        if scalar == "{" { braceDepth += 1 }
        if scalar == "}" { braceDepth = max(0, braceDepth - 1) }
        if braceDepth == 0, scalar.properties.isAlphabetic { readLetter(scalar) } else { wordLength = 0 }
        if scalar.digit == nil, !scalar.isInlineSpace, !Self.amountMarks.contains(scalar) { isAmount = false }
        isAfterSpace = scalar.isInlineSpace
    }

    private mutating func readLetter(_ scalar: Unicode.Scalar) {
        if wordLength == 0 { wordFollowsSpace = isAfterSpace }
        wordLength += 1
        if !scalar.isASCII, !Self.isFormulaLetter(scalar) { isProse = true }
        if wordFollowsSpace, wordLength >= 3 { isProse = true }
        if startsWithDigit, isAmount, isAfterSpace { isProse = true }
    }

    /// Greek, letter-like symbols and the mathematical alphabets.
    private static func isFormulaLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00AA, 0x00B5, 0x00BA, 0x0370...0x03FF, 0x2071...0x209C, 0x2100...0x214F, 0x1D400...0x1D7FF: true
        default: false
        }
    }

    private static let amountMarks: Set<Unicode.Scalar> = [
        ",", ".", ")", ";", ":", "!", "?", "%", "-", "\u{2013}", "\u{3001}", "\u{3002}", "\u{FF0C}",
    ]
}
