// TokenEstimator: how many tokens a text will be, without the model's vocabulary.
// Spec: docs/relevance.md (tokens)

/// Estimates how many tokens a text will be, by script.
///
/// Never less than one a CJK character, so that a budget holds for Chinese too.
///
/// The figures were fitted to texts of screens in the o200k vocabulary; ``scale`` is for what a model's own counts say.
public struct TokenEstimator: Sendable, Hashable {
    /// Factor on every estimate, for calibration from returned usage.
    ///
    /// Default 1.
    public var scale: Double

    /// Makes an estimator.
    public init(scale: Double = 1) { self.scale = scale }

    /// The estimate, rounded up; 0 for an empty text.
    public func tokens(in text: String) -> Int {
        let estimate = TokenCount.of(text)
        return Int((Double(estimate.cjk) + estimate.other * scale).rounded(.up))
    }
}

/// A running count over one text.
private struct TokenCount {
    /// Tokens of CJK characters; exact enough, never scaled down.
    var cjk = 0
    /// Tokens of everything else.
    var other = 0.0

    private var letters = 0
    private var digits = 0
    private var marks = 0

    static func of(_ text: String) -> TokenCount {
        var count = TokenCount()
        for scalar in text.unicodeScalars { count.take(scalar) }
        count.endRuns()
        return count
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39:
            if digits == 0 { endRuns() }
            digits += 1
        case 0x41...0x5A, 0x61...0x7A:
            // The vocabularies join one mark to the word after it: ".com", "/help".
            if marks > 0 { marks -= 1 }
            if letters == 0 { endRuns() }
            letters += 1
        case 0x20:
            // A space goes with the word that follows; before a digit or at the end it is its own.
            endRuns()
        case 0x0A:
            endRuns()
            other += 1
        case 0x21...0x7E:
            if marks == 0 { endRuns() }
            marks += 1
        case 0x80...0x24F:
            if letters == 0 { endRuns() }
            letters += 2
        case 0x2E80...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0xFF00...0xFFEF, 0x20000...0x3FFFF:
            endRuns()
            cjk += 1
        case 0x1F000...0x1FAFF:
            endRuns()
            other += 2
        default:
            endRuns()
            other += 1
        }
    }

    private mutating func endRuns() {
        if letters > 0 { other += letters <= 6 ? 1 : 1 + Double(letters - 6) / 6 }
        if digits > 0 { other += Double((digits + 2) / 3) }
        if marks > 0 { other += Double((marks + 1) / 2) }
        letters = 0
        digits = 0
        marks = 0
    }
}
