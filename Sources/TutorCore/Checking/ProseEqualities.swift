// ProseEqualities: the equalities between numbers inside a sentence.
// Spec: docs/builtin.md (sentences)

/// Finds the equalities between numbers inside a sentence, and only those whose ends are sure.
///
/// Goal: "So she had 5 x 3 = 16 apples" is wrong, "30% of 200 = 60" must not be read as `200 = 60`.
/// Plan: cut at everything that is no arithmetic; drop units behind numbers; a side that touches a word which may
/// change its value is not judged. Cost: one pass, each token parsed at most once.
struct ProseEqualities {
    /// Two neighbouring sides of a chain.
    struct Pair {
        var left: Expression
        var right: Expression
    }

    private struct Side {
        var tokens: [MathToken] = []
        var units: Set<String> = []
        var isSpoiled = false
    }

    let limits: CheckingLimits

    /// The pairs of a sentence, in order.
    func pairs(in tokens: [MathToken]) -> [Pair] {
        var pairs: [Pair] = []
        var chain: [Side] = []
        var side = Side()
        var previousWord: String?

        func closeChain(spoiled: Bool) {
            side.isSpoiled = side.isSpoiled || spoiled
            chain.append(side)
            if chain.count > 1 { pairs += judgeable(chain) }
            chain = []
            side = Side()
        }

        for (index, token) in tokens.enumerated() {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            switch token.kind {
            case .word(let word):
                let isUnit = side.tokens.last?.kind.endsValue == true && !LineWords.isSpoiler(word)
                if isUnit, continuesArithmetic(next) {
                    side.units.insert(Self.singular(word))
                } else if isInBrackets(index, tokens) {
                    // `100 (apples)`: the bracket is dropped with the word.
                    side.tokens.removeLast()
                    side.units.insert(Self.singular(word))
                } else {
                    if isUnit { side.units.insert(Self.singular(word)) }
                    closeChain(spoiled: LineWords.isSpoiler(word))
                    side.isSpoiled = LineWords.isSpoiler(word)
                }
                previousWord = word
                continue
            case .arrow, .comma, .semicolon, .stop:
                // "14, 400 / 80" may be one number.
                let isSplitNumber =
                    token.kind == .comma && next?.kind.isNumber == true && side.tokens.last?.kind.isNumber == true
                closeChain(spoiled: isSplitNumber)
                side.isSpoiled = isSplitNumber
            case .colon:
                let isRatio = next?.hasSpaceBefore == false && next?.kind.isNumber == true
                closeChain(spoiled: isRatio)
                side.isSpoiled = isRatio
            case .plusMinus, .relation, .unknown:
                closeChain(spoiled: token.kind != .relation)
                side.isSpoiled = token.kind != .relation
            case .equals:
                chain.append(side)
                side = Side()
            case .close where isInBrackets(index - 1, tokens): break
            case .minus, .plus:
                // "60 minutes - 4": a sign behind a word is an operation whose left part is not known.
                if side.tokens.isEmpty, chain.isEmpty, previousWord != nil, next?.hasSpaceBefore == true {
                    side.isSpoiled = true
                }
                side.tokens.append(token)
            case .open where !token.hasSpaceBefore && side.tokens.isEmpty && previousWord != nil:
                // `f'(0) = 2`: a function of that name.
                side.isSpoiled = true
                side.tokens.append(token)
            default:
                side.tokens.append(token)
            }
            previousWord = nil
        }
        closeChain(spoiled: false)
        return pairs
    }

    /// Whether arithmetic goes on behind a unit.
    private func continuesArithmetic(_ next: MathToken?) -> Bool {
        switch next?.kind {
        case .close, .divide, .equals, .minus, .plus, .slash, .times: true
        default: false
        }
    }

    private func isInBrackets(_ index: Int, _ tokens: [MathToken]) -> Bool {
        guard index >= 2, index + 1 < tokens.count, tokens[index].kind.isWord else { return false }
        return tokens[index - 1].kind == .open && tokens[index + 1].kind == .close && tokens[index - 2].kind.endsValue
    }

    private func judgeable(_ chain: [Side]) -> [Pair] {
        let units = chain.reduce(into: Set<String>()) { $0.formUnion($1.units) }
        if units.contains(where: LineWords.isConvertibleUnit) {
            guard units.count == 1, chain.allSatisfy({ !$0.units.isEmpty || $0.tokens.count > 1 }) else { return [] }
            guard chain.last?.units.isEmpty == false else { return [] }
        }
        var sides: [Expression?] = []
        for side in chain {
            if side.isSpoiled || side.tokens.isEmpty {
                sides.append(nil)
            } else if let expression = try? MathParser.parse(side.tokens[...], limits: limits) {
                sides.append(expression)
            } else if sides.isEmpty {
                sides.append(nil)
            }
            // A side with a bracket too many is skipped: its neighbours are equal all the same.
        }
        return zip(sides, sides.dropFirst()).compactMap { left, right in
            guard let left, let right else { return nil }
            return Pair(left: left, right: right)
        }
    }

    private static func singular(_ word: String) -> String {
        word.count > 2 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }
}
