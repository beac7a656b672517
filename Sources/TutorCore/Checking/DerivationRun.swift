// DerivationRun: one pass over the lines of a derivation.
// Spec: docs/builtin.md (how a line is judged)

/// One pass over the lines of a derivation.
///
/// Ends at the first wrong line.
struct DerivationRun {
    /// Equations in the same unknowns, as far as they hang together.
    private struct Context {
        var letters: Set<Unicode.Scalar>
        /// Right lines: the first and the newest ones.
        var basis: [(line: Int, equation: Equation)]
        /// Whether a step was seen and found right, so that this is a derivation and no list of exercises.
        var isEstablished = false
        var isSolved = false
        /// Right values of the unknown that lines state.
        var stated: Set<Rational> = []
        /// The newest of those lines.
        var statedLine: Int?
        /// The line that it begins with, where that does not follow from unfinished work above it.
        var doubt: Doubt?
        /// Whether it builds on something that could not be read or judged.
        var buildsOnUnread = false

        /// Whether every solution of the equation that it begins with is stated.
        var isComplete: Bool {
            guard case .values(let roots) = basis.first?.equation.solution else { return false }
            return !roots.isEmpty && stated.count >= roots.count
        }

        mutating func state(_ value: Rational?, at line: Int) {
            if let value { stated.insert(value) }
            statedLine = line
        }
    }

    /// A line that does not follow and is not provably a slip: another exercise may begin there.
    private struct Doubt {
        var line: Int
        /// Whether the lines above were a derivation and no list of exercises.
        var isAfterSteps: Bool
    }

    /// The value that a line beginning with `=` goes on from.
    private struct Tail {
        var line: Int
        var expression: Expression
        var isExpressionLine: Bool
        var isEstablished: Bool
    }

    private let lines: [MathLine]
    private let limits: CheckingLimits
    private let judge: EqualityJudge
    private let slips: SlipFinder
    private var verdicts: [DerivationReview.Verdict]
    private var contexts: [Context] = []
    private var slipSearches = 0
    private var tail: Tail?
    /// Capital letters that sentences gave a value, `A = (8 - 2) = 6`; nil where they gave two.
    private var named: [Unicode.Scalar: Rational?] = [:]
    /// Unknowns about which a line states something that could not be read.
    private var unreadLetters: Set<Unicode.Scalar> = []
    private(set) var finding: DerivationFinding?

    init(lines: [MathLine], limits: CheckingLimits) {
        self.lines = lines
        self.limits = limits
        judge = EqualityJudge(limits: limits)
        slips = SlipFinder(limits: limits)
        verdicts = Array(repeating: .unjudged, count: lines.count)
    }

    mutating func judge(_ index: Int) {
        switch lines[index] {
        case .nothing: break
        case .prose(let tokens): judgeProse(tokens, at: index)
        case .steps(let chains): judgeSteps(chains, at: index)
        }
        if finding != nil { verdicts[index] = .wrong }
    }

    // MARK: Sentences

    private mutating func judgeProse(_ tokens: [MathToken], at index: Int) {
        let isRounded = tokens.contains {
            if case .word(let word) = $0.kind { LineWords.speaksOfRounding(word) } else { false }
        }
        for pair in ProseEqualities(limits: limits).pairs(in: tokens) {
            switch judge.areEqual(pair.left, pair.right, manner: .lenient) ?? agreesWithNames(pair.left, pair.right) {
            case true?: mark(index, .right)
            case false? where !isRounded: return blameEquality(pair.left, pair.right, at: index, basis: nil)
            default: break
            }
            name(pair)
        }
        tail = nil
        // Something was stated about these unknowns that could not be read: what follows may build on it.
        for token in tokens {
            guard case .letter(let letter) = token.kind else { continue }
            unreadLetters.insert(letter)
            for place in contexts.indices where contexts[place].letters.contains(letter) {
                contexts[place].isSolved = true
                if !contexts[place].isComplete { contexts[place].buildsOnUnread = true }
            }
        }
    }

    /// Notes what a capital letter stands for.
    private mutating func name(_ pair: ProseEqualities.Pair) {
        guard case .letter(let letter) = pair.left, letter.properties.isUppercase,
            let value = try? pair.right.value(limits: limits)
        else { return }
        guard let known = named[letter] else {
            if named.count < limits.contexts { named[letter] = .some(value) }
            return
        }
        if known != value { named[letter] = .some(nil) }
    }

    /// Whether `A - B = 71 - 17` puts in what A and B stand for; nil where that is not known of both.
    private func agreesWithNames(_ left: Expression, _ right: Expression) -> Bool? {
        guard let value = try? right.value(limits: limits), var form = try? left.normalised(limits: limits).polynomial,
            form.letters.count > 1
        else { return nil }
        for letter in form.letters {
            guard let known = named[letter], let known,
                let put = try? form.replacing(letter, with: known, limits: limits)
            else { return nil }
            form = put
        }
        return form.constant == value
    }

    // MARK: Lines of mathematics

    private mutating func judgeSteps(_ chains: [MathChain], at index: Int) {
        if judgeCases(chains, at: index) { return }
        for chain in chains {
            judgeNumbers(chain, at: index)
            guard finding == nil else { return }
            judgeIdentities(chain, at: index)
            guard finding == nil else { return }
            if !chain.isAlternative { judgeEquation(chain, at: index) }
            guard finding == nil, let last = chain.sides.last else { return }
            let wasEstablished = tail?.isEstablished ?? false
            tail = Tail(
                line: index, expression: last,
                isExpressionLine: chain.sides.count == 1 || chain.isContinuation,
                isEstablished: chain.isContinuation || (wasEstablished && verdicts[index] == .right))
        }
    }

    /// `x = 3 or x = -3` against the newest equation in x.
    private mutating func judgeCases(_ chains: [MathChain], at index: Int) -> Bool {
        guard chains.count > 1, chains.allSatisfy(\.isAlternative), let letter = chains[0].solvedLetter else {
            return false
        }
        var values: Set<Rational> = []
        for chain in chains {
            guard chain.solvedLetter == letter, let value = chain.solvedValue(limits: limits) else { return false }
            values.insert(value)
        }
        guard let place = contexts.firstIndex(where: { $0.letters == [letter] }),
            let newest = contexts[place].basis.last, case .values(let roots) = newest.equation.solution, !roots.isEmpty
        else { return true }
        if values == roots || roots.isSubset(of: values) || values.isSubset(of: roots) {
            contexts[place].isSolved = values == roots
            for value in values { contexts[place].state(value, at: index) }
            mark(index, .right)
        } else if !contexts[place].isSolved, newest.equation.solved == nil {
            let ordered = Self.ascending(roots)
            finding = DerivationFinding(
                index: index, basis: newest.line, kind: .other,
                correction: ordered.map { "\(letter) = \($0)" }.joined(separator: ", "), rightValues: ordered)
        }
        return true
    }

    /// Neighbouring sides without unknowns must be equal.
    private mutating func judgeNumbers(_ chain: MathChain, at index: Int) {
        let manner: EqualityJudge.Manner = chain.letters.isEmpty ? .lenient : .exact
        var sides = chain.sides
        var basis: Int?
        if chain.isContinuation, let tail {
            sides.insert(tail.expression, at: 0)
            basis = tail.line
        }
        for (left, right) in zip(sides, sides.dropFirst()) {
            switch judge.areEqual(left, right, manner: manner) {
            case true?: mark(index, .right)
            case false? where !isImpossibleProblem: return blameEquality(left, right, at: index, basis: basis)
            default: break
            }
            basis = nil
        }
    }

    /// After `2x + 1 = 2x + 3` a false equality of numbers is the point.
    private var isImpossibleProblem: Bool {
        contexts.contains { $0.basis.last?.equation.solution == .values([]) }
    }

    /// Sides that are meant as the same expression: `= 2x + 6` below an expression, or a chain of three and more.
    private mutating func judgeIdentities(_ chain: MathChain, at index: Int) {
        var sides = chain.sides
        var isIdentity = false
        var basis: Int?
        if let tail, chain.isContinuation || (chain.sides.count == 1 && tail.isExpressionLine) {
            sides.insert(tail.expression, at: 0)
            isIdentity = chain.isContinuation
            basis = tail.line
        }
        let pairs = Array(zip(sides, sides.dropFirst()))
        let results = pairs.map(sameExpression)
        // Without a sign that identity is meant, `(x + 1)^2 = 4x = 8` may be two equations.
        if !isIdentity, pairs.count > 1, basis == nil { isIdentity = results.contains(true) }
        for (pair, result) in zip(pairs, results) {
            if result == true { mark(index, .right) }
            if result == false {
                let kind = slips.explain(from: pair.0, to: pair.1)
                let isPlainLines = basis != nil && !chain.isContinuation
                let isBlamed = isPlainLines ? tail?.isEstablished == true && kind != nil : isIdentity
                if isBlamed { return blameExpression(pair.0, kind: kind, at: index, basis: basis) }
            }
            basis = nil
        }
        if chain.sides.count == 1, tail?.isExpressionLine == true, results.first == true { tail?.isEstablished = true }
    }

    /// True, false, or nil where the two are not meant as the same expression in the same unknowns.
    private func sameExpression(_ left: Expression, _ right: Expression) -> Bool? {
        guard let a = try? left.normalised(limits: limits), let b = try? right.normalised(limits: limits) else {
            return nil
        }
        let chainLetters = a.letters
        guard !chainLetters.isEmpty, chainLetters == b.letters, left != right else { return nil }
        // `y = y + 2` is no identity but an equation.
        if case .letter = left { return nil }
        return try? a.isIdentical(to: b, limits: limits)
    }

    // MARK: Equations

    private mutating func judgeEquation(_ chain: MathChain, at index: Int) {
        guard chain.sides.count >= 2, !chain.isContinuation, !chain.letters.isEmpty else { return }
        let isWorkedOut = chain.sides.dropFirst().allSatisfy { (try? $0.value(limits: limits)) != nil }
        guard chain.sides.count == 2 || isWorkedOut,
            let equation = try? Equation(chain.sides[0], chain.sides[1], limits: limits), !equation.difference.isZero
        else { return }
        guard let place = contexts.firstIndex(where: { $0.letters == equation.letters }), !chain.isGiven else {
            let others = chain.isGiven ? [] : contexts.filter { !$0.letters.isDisjoint(with: equation.letters) }
            contexts.removeAll { $0.letters == equation.letters }
            if contexts.count == limits.contexts { contexts.removeFirst() }
            var context = start(equation, at: index)
            // What was said about this unknown before is not known to lead here.
            context.buildsOnUnread =
                !others.isEmpty || (!chain.isGiven && !unreadLetters.isDisjoint(with: equation.letters))
            contexts.append(context)
            return mark(index, .start)
        }
        // The context used last stands last, so that progress can be read off it.
        var context = contexts.remove(at: place)
        judge(equation, in: &context, at: index)
        // `x = 12 / 4 = 3` ends with the value.
        if chain.sides.count > 2, let last = chain.sides.last, last.isLiteral, case .letter = chain.sides[0] {
            context.isSolved = true
            context.state(try? last.value(limits: limits), at: index)
        }
        contexts.append(context)
    }

    private mutating func judge(_ equation: Equation, in context: inout Context, at index: Int) {
        var isContradicted = false
        for earlier in context.basis.reversed() {
            switch equation.relation(to: earlier.equation, limits: limits) {
            case .follows:
                let shape = StepShape(basis: earlier.equation, line: equation)
                if shape.isSimpler || (shape.sharesTerm && !shape.isRestated) { context.isEstablished = true }
                if let solved = equation.solved {
                    context.isSolved = true
                    context.state(try? solved.value.value(limits: limits), at: index)
                }
                append(equation, at: index, to: &context)
                return mark(index, .right)
            case .contradicts: isContradicted = true
            case .undecided: break
            }
        }
        if isContradicted, let newest = context.basis.last, !context.isSolved,
            slipSearches < limits.slipSearches,
            let kind = slip(from: newest.equation, to: equation, in: context, at: index)
        {
            let correction = Correction(of: equation, from: newest.equation, kind: kind, limits: limits)
            var values = correction?.values ?? []
            if case .values(let roots) = newest.equation.solution { values += Self.ascending(roots) }
            finding = DerivationFinding(
                index: index, basis: newest.line, kind: kind, correction: correction?.text, rightValues: values)
            return
        }
        // Another exercise begins.
        let isFinished = context.isComplete
        let isAfterSteps = context.basis.count > 1
        context = start(equation, at: index)
        if !isFinished { context.doubt = Doubt(line: index, isAfterSteps: isAfterSteps) }
        mark(index, .start)
    }

    private func start(_ equation: Equation, at index: Int) -> Context {
        var context = Context(letters: equation.letters, basis: [(index, equation)])
        if let solved = equation.solved {
            context.isSolved = true
            context.state(try? solved.value.value(limits: limits), at: index)
        }
        return context
    }

    private func append(_ equation: Equation, at index: Int, to context: inout Context) {
        if context.basis.count == limits.basisLines { context.basis.remove(at: 1) }
        context.basis.append((index, equation))
    }

    /// The slip that a contradicting line is blamed for, or nil where it may as well be something else.
    private mutating func slip(from basis: Equation, to line: Equation, in context: Context, at index: Int) -> SlipKind?
    {
        let shape = StepShape(basis: basis, line: line)
        if line.solved == nil, shape.bringsSomethingNew { return nil }
        slipSearches += 1
        let explanation = slips.explain(from: basis, to: line)
        if context.letters.count > 1 {
            return context.isEstablished && explanation?.isExact == true ? explanation?.kind : nil
        }
        if let solved = line.solved {
            // Several values below one another are choices, or solutions one by one.
            if let next = valueStated(after: index, letter: solved.letter),
                next != (try? solved.value.value(limits: limits))
            {
                return nil
            }
            return explanation?.kind ?? .other
        }
        if let explanation {
            if explanation.isExact, shape.isPlausible { return explanation.kind }
            if shape.isSimpler, context.isEstablished || shape.keepsItsTerms { return explanation.kind }
        }
        guard context.isEstablished, shape.isPlausible, shape.sharesTerm || shape.isSimpler else { return nil }
        return explanation?.kind ?? .other
    }

    private func valueStated(after index: Int, letter: Unicode.Scalar) -> Rational? {
        guard index + 1 < lines.count, case .steps(let chains) = lines[index + 1], let chain = chains.first,
            chain.solvedLetter == letter
        else { return nil }
        return chain.solvedValue(limits: limits)
    }

    // MARK: Findings

    private mutating func mark(_ index: Int, _ verdict: DerivationReview.Verdict) {
        if verdicts[index] != .right { verdicts[index] = verdict }
    }

    private mutating func blameEquality(_ left: Expression, _ right: Expression, at index: Int, basis: Int?) {
        let value = try? left.value(limits: limits)
        finding = DerivationFinding(
            index: index, basis: basis, kind: slips.explain(from: left, to: right) ?? .arithmetic,
            correction: value.map { "\(left.text) = \($0)" }, rightValues: value.map { [$0] } ?? [])
    }

    private mutating func blameExpression(_ left: Expression, kind: SlipKind?, at index: Int, basis: Int?) {
        let form = try? left.normalised(limits: limits).polynomial
        finding = DerivationFinding(
            index: index, basis: basis, kind: kind ?? .other, correction: form.map { "\(left.text) = \($0)" },
            rightValues: form?.terms.map(\.coefficient) ?? [])
    }

    private static func ascending(_ values: Set<Rational>) -> [Rational] {
        values.sorted { ((try? $0.isLess(than: $1)) ?? false) }
    }

    /// The result of the pass.
    func review(count: Int) -> DerivationReview {
        var padded = verdicts
        while padded.count < count { padded.append(.unjudged) }
        var review = DerivationReview(verdicts: padded, finding: finding, progress: .unknown, solution: [])
        // Nothing is wrong where something could be checked.
        let hasRight = verdicts.contains(.right)
        if finding == nil, hasRight { review.progress = .checked }
        guard let context = contexts.last, context.letters.count == 1, let newest = context.basis.last else {
            return review
        }
        let isBegun = context.basis.count > 1 || context.statedLine != nil
        if finding == nil, let doubt = context.doubt, isBegun || doubt.isAfterSteps {
            review.progress = .doubtful(line: doubt.line)
            return review
        }
        if context.buildsOnUnread, isBegun || hasRight { return review }
        if case .values(let roots) = newest.equation.solution { review.solution = Self.ascending(roots) }
        guard finding == nil else { return review }
        if let line = context.statedLine {
            if context.isComplete {
                review.progress = .solved(line: line)
            } else if case .values = context.basis[0].equation.solution {
                review.progress = .partlySolved(line: line)
            }
        } else if !context.isSolved, let next = NextStepFinder(limits: limits).next(after: newest.equation) {
            review.progress = .open(line: newest.line, next: next)
        }
        return review
    }
}
