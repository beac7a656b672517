// MathToken: one symbol of a written line.
// Spec: docs/builtin.md (what it can judge)

/// One symbol of a written line.
public struct MathToken: Sendable, Hashable {
    /// What it is.
    public enum Kind: Sendable, Hashable {
        /// `=>`, `→`, `∴`: what follows is the next step.
        case arrow
        case caret
        case close
        case colon
        case comma
        case divide
        case equals
        /// LaTeX `\frac`: two groups follow.
        case fraction
        case letter(Unicode.Scalar)
        case minus
        case number(Rational, places: Int)
        case open
        case percent
        case plus
        /// `±`: two cases in one.
        case plusMinus
        /// `<`, `≠`, `≈`, …: not judged.
        case relation
        case semicolon
        /// `/`: a division that some read as a fraction bar.
        case slash
        /// The end of a sentence.
        case stop
        case times
        /// A symbol that the checker does not know; nothing next to it is judged.
        case unknown
        /// Letters of a language, in lower case.
        case word(String)
    }

    /// What it is.
    public var kind: Kind
    /// Whether white space stands before it.
    public var hasSpaceBefore: Bool

    /// Makes a token.
    public init(_ kind: Kind, hasSpaceBefore: Bool) {
        self.kind = kind
        self.hasSpaceBefore = hasSpaceBefore
    }
}

extension MathToken.Kind {
    /// Whether a value may end with it.
    var endsValue: Bool {
        switch self {
        case .close, .letter, .number, .percent: true
        default: false
        }
    }

    /// Whether it is a number.
    var isNumber: Bool {
        if case .number = self { return true }
        return false
    }

    /// Whether it is an unknown.
    var isLetter: Bool {
        if case .letter = self { return true }
        return false
    }

    /// Whether it is a word.
    var isWord: Bool {
        if case .word = self { return true }
        return false
    }
}
