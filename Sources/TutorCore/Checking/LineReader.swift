// LineReader: a written line to what it states.
// Spec: docs/builtin.md (what it can judge)

/// Reads a written line: labels, connecting words and notes aside, either the whole of it is mathematics, or it is prose.
public struct LineReader: Sendable {
    private let limits: CheckingLimits
    private let tokenizer: MathTokenizer

    /// Makes a reader.
    public init(limits: CheckingLimits = CheckingLimits()) {
        self.limits = limits
        tokenizer = MathTokenizer(limits: limits)
    }

    /// What the line states.
    ///
    /// Never fails: what cannot be read states nothing.
    public func read(_ line: String) -> MathLine {
        guard let tokens = try? tokenizer.tokens(of: line), !tokens.isEmpty else { return .nothing }
        if let chains = steps(in: tokens) { return .steps(chains) }
        return tokens.contains { $0.kind == .equals } ? .prose(tokens) : .nothing
    }

    /// The chains of a line that is mathematics as a whole, or nil.
    private func steps(in tokens: [MathToken]) -> [MathChain]? {
        var body = Self.withoutMargin(Self.withoutLabel(tokens[...]))
        let exercise = Self.exercise(in: body)
        if let exercise { body = exercise }
        guard let first = body.first else { return nil }
        if case .word(let word) = first.kind, LineWords.isHypothesis(word) { return nil }
        guard !body.contains(where: { $0.kind == .relation }) else { return nil }
        let hasEquals = body.contains { $0.kind == .equals }
        var chains: [MathChain] = []
        var parts = Self.segments(of: body).flatMap(Self.cases)
        parts.removeAll { $0.tokens.isEmpty }
        for (position, part) in parts.enumerated() {
            let isEquation = part.tokens.contains { $0.kind == .equals }
            if !isEquation, hasEquals {
                // A note such as "subtract 3" says nothing; a lone value beside an equation may be a second solution.
                guard part.tokens.contains(where: { $0.kind.isWord }), !part.isAlternative else { return nil }
                continue
            }
            guard isEquation || parts.count == 1 else { return nil }
            guard let chain = chain(part, isFirst: position == 0) else { return nil }
            chains.append(chain)
        }
        if exercise != nil { for place in chains.indices { chains[place].isGiven = true } }
        return chains.isEmpty ? nil : Self.markingCases(chains)
    }

    private func chain(_ segment: Segment, isFirst: Bool) -> MathChain? {
        var tokens = segment.tokens
        while case .word(let word) = tokens.first?.kind, LineWords.isConnector(word) { tokens = tokens.dropFirst() }
        // A unit behind the last number.
        if case .word(let unit) = tokens.last?.kind, !LineWords.isSpoiler(unit),
            tokens.dropLast().last?.kind.isNumber == true
        {
            tokens = tokens.dropLast()
        }
        guard !tokens.isEmpty, !tokens.contains(where: { $0.kind.isWord || $0.kind == .unknown }) else { return nil }
        var sides = tokens.split(separator: .equalsSign, omittingEmptySubsequences: false)
        let isContinuation = sides.count > 1 && sides[0].isEmpty
        if isContinuation {
            guard isFirst else { return nil }
            sides.removeFirst()
        }
        var expressions: [Expression] = []
        for side in sides {
            guard let expression = try? MathParser.parse(side, limits: limits) else { return nil }
            expressions.append(expression)
        }
        if expressions.count == 1, !isContinuation {
            // A bare number is no step, whatever it stands for.
            guard !expressions[0].isLiteral else { return nil }
        }
        return MathChain(sides: expressions, isContinuation: isContinuation, isAlternative: segment.isAlternative)
    }

    /// `x = 3, x = -3` is two cases of one line, like `x = 3 or x = -3`.
    private static func markingCases(_ chains: [MathChain]) -> [MathChain] {
        guard chains.count > 1 else { return chains.map { $0.with(isAlternative: false) } }
        let isCase = chains.map { $0.solvedLetter }
        guard let first = isCase[0] else {
            // Two different equations joined by "or" (a product that vanishes): each alone proves nothing.
            return chains
        }
        let allSame = isCase.allSatisfy { $0 == first }
        return allSame ? chains.map { $0.with(isAlternative: true) } : chains
    }
}

extension MathChain {
    func with(isAlternative: Bool) -> MathChain {
        var copy = self
        copy.isAlternative = isAlternative
        return copy
    }

    /// The unknown of a chain of the form `x = 5`.
    var solvedLetter: Unicode.Scalar? {
        guard sides.count == 2, case .letter(let letter) = sides[0], sides[1].isLiteral else { return nil }
        return letter
    }

    /// The value of a chain of the form `x = 5`.
    func solvedValue(limits: CheckingLimits) -> Rational? {
        guard solvedLetter != nil else { return nil }
        return try? sides[1].value(limits: limits)
    }
}

extension MathToken {
    /// What sides are split at; its spacing never matters because splitting compares kinds only.
    fileprivate static let equalsSign = MathToken(.equals, hasSpaceBefore: false)
}

extension ArraySlice<MathToken> {
    fileprivate func split(
        separator: MathToken, omittingEmptySubsequences: Bool
    ) -> [ArraySlice<MathToken>] {
        split(omittingEmptySubsequences: omittingEmptySubsequences) { $0.kind == separator.kind }
    }
}

extension LineReader {
    fileprivate struct Segment {
        var tokens: ArraySlice<MathToken>
        var isAlternative: Bool
    }

    /// Cuts at commas, arrows, sentence ends, and at words that lead into the next step.
    fileprivate static func segments(of tokens: ArraySlice<MathToken>) -> [Segment] {
        var segments: [Segment] = []
        var start = tokens.startIndex
        var isAlternative = false
        for index in tokens.indices {
            var cut = false
            var nextIsAlternative = false
            switch tokens[index].kind {
            case .arrow, .comma, .semicolon, .stop, .colon: cut = true
            case .word(let word):
                nextIsAlternative = LineWords.isAlternative(word)
                cut = nextIsAlternative || (index > start && LineWords.isConnector(word))
            default: break
            }
            guard cut else { continue }
            segments.append(Segment(tokens: tokens[start..<index], isAlternative: isAlternative))
            isAlternative = nextIsAlternative
            start = index + 1
        }
        segments.append(Segment(tokens: tokens[start...], isAlternative: isAlternative))
        if let second = segments.dropFirst().first, second.isAlternative, !segments[0].tokens.isEmpty {
            segments[0].isAlternative = true
        }
        return segments
    }

    /// `x + 1 = ±3` as its two cases.
    fileprivate static func cases(of segment: Segment) -> [Segment] {
        guard let place = segment.tokens.firstIndex(where: { $0.kind == .plusMinus }),
            segment.tokens.dropFirst(place + 1 - segment.tokens.startIndex).allSatisfy({ $0.kind != .plusMinus })
        else { return [segment] }
        let isSign = place == segment.tokens.startIndex || !segment.tokens[place - 1].kind.endsValue
        var (plus, minus) = (Array(segment.tokens), Array(segment.tokens))
        minus[place - segment.tokens.startIndex].kind = .minus
        plus[place - segment.tokens.startIndex].kind = .plus
        if isSign { plus.remove(at: place - segment.tokens.startIndex) }
        return [plus, minus].map { Segment(tokens: $0[...], isAlternative: true) }
    }

    /// Drops `1.`, `(2)`, `3)`, `①` and `Step 2:` at the front.
    fileprivate static func withoutLabel(_ tokens: ArraySlice<MathToken>) -> ArraySlice<MathToken> {
        var rest = tokens
        // A bullet or a leading arrow.
        while let first = rest.first, first.kind == .arrow || (first.kind == .times && rest.count > 1) {
            rest = rest.dropFirst()
        }
        if case .word(let word) = rest.first?.kind, LineWords.counters.contains(word),
            rest.dropFirst().first?.kind.isNumber == true
        {
            rest = rest.dropFirst(2)
            if let mark = rest.first?.kind, mark == .colon || mark == .stop || mark == .close {
                rest = rest.dropFirst()
            }
            return rest
        }
        let kinds = rest.prefix(4).map(\.kind)
        let spaced = rest.prefix(4).map(\.hasSpaceBefore)
        if kinds.count >= 3, kinds[0].isNumber, kinds[1] == .stop || kinds[1] == .close || kinds[1] == .comma, spaced[2]
        {
            return rest.dropFirst(2)
        }
        if kinds.count >= 4, kinds[0] == .open, kinds[1].isNumber, kinds[2] == .close, spaced[3] {
            return rest.dropFirst(3)
        }
        if let colon = rest.firstIndex(where: { $0.kind == .colon }),
            !rest[..<colon].contains(where: { $0.kind == .equals }),
            !(rest.first?.kind.isWord == true && isHypothesisWord(rest.first)),
            rest[..<colon].contains(where: { $0.kind.isWord })
        {
            return rest[(colon + 1)...]
        }
        if case .unknown = rest.first?.kind, rest.dropFirst().first?.hasSpaceBefore == true { return rest.dropFirst() }
        return rest
    }

    /// What `Solve for x: 2x + 3 = 7` or `Solve the equation 2x + 3 = 7` sets, or nil.
    fileprivate static func exercise(in tokens: ArraySlice<MathToken>) -> ArraySlice<MathToken>? {
        guard case .word(let word) = tokens.first?.kind, LineWords.setsAnExercise(word) else { return nil }
        var rest = tokens.dropFirst()
        if let colon = rest.firstIndex(where: { $0.kind == .colon }),
            !rest[..<colon].contains(where: { $0.kind == .equals })
        {
            rest = rest[(colon + 1)...]
        }
        while case .word(let word) = rest.first?.kind, LineWords.isExerciseFiller(word) { rest = rest.dropFirst() }
        let isPlain = !rest.contains { $0.kind.isWord || $0.kind == .comma || $0.kind == .semicolon }
        return isPlain && rest.contains { $0.kind == .equals } ? rest : nil
    }

    private static func isHypothesisWord(_ token: MathToken?) -> Bool {
        if case .word(let word) = token?.kind { return LineWords.isHypothesis(word) }
        return false
    }

    /// Drops a note in the margin, `| +6`, and the full stop at the end.
    fileprivate static func withoutMargin(_ tokens: ArraySlice<MathToken>) -> ArraySlice<MathToken> {
        var rest = tokens
        if let bar = rest.firstIndex(where: { $0.kind == .unknown }),
            rest[..<bar].contains(where: { $0.kind == .equals }), bar + 1 < rest.endIndex
        {
            switch rest[bar + 1].kind {
            case .plus, .minus, .times, .divide, .slash, .colon: rest = rest[..<bar]
            default: break
            }
        }
        while let last = rest.last?.kind, last == .stop || last == .semicolon || last == .comma {
            rest = rest.dropLast()
        }
        return rest
    }
}
