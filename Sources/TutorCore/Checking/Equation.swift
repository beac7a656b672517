// Equation: two equal sides with at least one unknown, in written and in normal form.
// Spec: docs/builtin.md (what it can judge)

/// Two equal sides with at least one unknown, in written and in normal form.
struct Equation: Sendable, Hashable {
    let left: Expression
    let right: Expression
    /// Normal forms of the sides.
    let leftForm: RationalFunction
    let rightForm: RationalFunction
    /// Vanishes where the equation holds.
    let difference: Polynomial
    /// Where it is true.
    let solution: SolutionSet
    let letters: Set<Unicode.Scalar>

    init(_ left: Expression, _ right: Expression, limits: CheckingLimits) throws(MathError) {
        self.left = left
        self.right = right
        leftForm = try left.normalised(limits: limits)
        rightForm = try right.normalised(limits: limits)
        difference = try leftForm.difference(from: rightForm, limits: limits)
        let below = try leftForm.denominator.multiplied(by: rightForm.denominator, limits: limits)
        solution = try SolutionSet.solving(difference, excluded: below, limits: limits)
        var written: Set<Unicode.Scalar> = []
        left.collectLetters(into: &written)
        right.collectLetters(into: &written)
        letters = written
    }

    /// `x = 5` or `5 = x`.
    var solved: (letter: Unicode.Scalar, value: Expression)? {
        if case .letter(let letter) = left, right.isLiteral { return (letter, right) }
        if case .letter(let letter) = right, left.isLiteral { return (letter, left) }
        return nil
    }

    var termCount: Int { left.terms.count + right.terms.count }
    var bracketCount: Int { left.bracketCount + right.bracketCount }

    /// Whether the terms with unknowns stand on one side and plain numbers on the other.
    var isSeparated: Bool {
        guard let sides = polynomials else { return false }
        func isPure(_ side: Polynomial) -> Bool { side[.unit].isZero && !side.isZero }
        return (isPure(sides.left) && sides.right.constant != nil)
            || (isPure(sides.right) && sides.left.constant != nil)
    }

    /// Normal form of each side as a polynomial, where no unknown stands below a line.
    var polynomials: (left: Polynomial, right: Polynomial)? {
        guard let left = leftForm.polynomial, let right = rightForm.polynomial else { return nil }
        return (left, right)
    }

    /// How this equation stands to an earlier right one.
    enum Relation {
        case contradicts
        case follows
        case undecided
    }

    func relation(to basis: Equation, limits: CheckingLimits) -> Relation {
        do {
            if difference.isZero || basis.difference.isZero { return .undecided }
            if try difference.ratio(to: basis.difference) != nil { return .follows }
            if let solved, try basis.isSolved(by: solved.value, letter: solved.letter, limits: limits) {
                return .follows
            }
            switch (solution, basis.solution) {
            case (.values(let mine), .values(let theirs)):
                // More solutions come from squaring, fewer from looking at one case: both may be meant.
                if theirs.isEmpty, mine.isEmpty { return .follows }
                if !theirs.isEmpty, theirs.isSubset(of: mine) { return .follows }
                if !mine.isEmpty, mine.isSubset(of: theirs) { return .follows }
                return .contradicts
            default:
                // Two linear equations in several unknowns say the same, or they are two facts.
                if letters.count > 1, difference.degree == 1, basis.difference.degree == 1 { return .contradicts }
                if let solved, try basis.isRefuted(by: solved.value, letter: solved.letter, limits: limits) {
                    return .contradicts
                }
                return .undecided
            }
        } catch {
            return .undecided
        }
    }

    /// Whether a written value solves it, rounded decimals included.
    private func isSolved(
        by literal: Expression, letter: Unicode.Scalar, limits: CheckingLimits
    ) throws(MathError) -> Bool {
        guard let value = try literal.value(limits: limits) else { return false }
        guard let remainder = try difference.value(at: value, for: letter) else { return false }
        if remainder.isZero { return true }
        let places = literal.literalPlaces
        guard places > 0, places <= 15 else { return false }
        let step = try Rational.one.divided(by: Rational(10).raised(to: places))
        guard let below = try difference.value(at: value.subtracting(step), for: letter),
            let above = try difference.value(at: value.adding(step), for: letter)
        else { return false }
        if case .values(let roots) = solution {
            for root in roots where try root.subtracting(value).magnitude.isLess(than: step) { return true }
            return false
        }
        // An irrational root lies where the sign changes.
        return below.isNegative != remainder.isNegative || above.isNegative != remainder.isNegative
    }

    /// Whether a written whole number or fraction is certainly no solution.
    private func isRefuted(
        by literal: Expression, letter: Unicode.Scalar, limits: CheckingLimits
    ) throws(MathError) -> Bool {
        guard literal.literalPlaces == 0, let value = try literal.value(limits: limits) else { return false }
        guard let remainder = try difference.value(at: value, for: letter) else { return false }
        return !remainder.isZero
    }
}
