// MultiplicationSign: decides which `x` is a sign and which `a` is a word.
// Spec: docs/builtin.md (what it can judge)

/// Decides which `x` is a multiplication sign and which `a` or `I` is a word, from what stands around it.
enum MultiplicationSign {
    /// The tokens with every such letter replaced.
    static func resolved(in tokens: [MathToken]) -> [MathToken] {
        var result = tokens
        for index in tokens.indices {
            guard case .letter(let letter) = tokens[index].kind else { continue }
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if letter == "x" || letter == "X" {
                if isSign(at: index, in: result, next: next) { result[index].kind = .times }
            } else if letter == "a" || letter == "A" || letter == "I" {
                // "an answer of 4 a day": an article, where a word follows it.
                let isSpaced = tokens[index].hasSpaceBefore || index == 0
                if isSpaced, let next, next.hasSpaceBefore, next.kind.isWord {
                    result[index].kind = .word(letter == "I" ? "i" : "a")
                }
            }
        }
        return result
    }

    private static func isSign(at index: Int, in tokens: [MathToken], next: MathToken?) -> Bool {
        guard index > 0, let next else { return false }
        let isSpaced = tokens[index].hasSpaceBefore && next.hasSpaceBefore
        switch (tokens[index - 1].kind, next.kind) {
        case (.number, .number), (.percent, .number), (.close, .number): return true
        case (.word, .number), (.number, .open), (.close, .open):
            return isSpaced && !hasAnotherUnknown(than: index, in: tokens)
        default: return false
        }
    }

    private static func hasAnotherUnknown(than index: Int, in tokens: [MathToken]) -> Bool {
        tokens.indices.contains { other in
            guard other != index, case .letter(let letter) = tokens[other].kind, letter == "x" || letter == "X" else {
                return false
            }
            let isBetweenNumbers =
                other > 0 && other + 1 < tokens.count && tokens[other - 1].kind.isNumber
                && tokens[other + 1].kind.isNumber
            return !isBetweenNumbers
        }
    }
}
