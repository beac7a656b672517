// EqualityJudge: whether two written numbers are equal.
// Spec: docs/builtin.md (rounding)

/// Whether two written numbers are equal, with the patience for rounding that people's writing needs.
struct EqualityJudge {
    /// How much is forgiven.
    enum Manner {
        /// A line of mathematics: only a decimal that the other side rounds to.
        case exact
        /// A sentence: also whole-number quotients, results of rounded decimals and run-on chains.
        case lenient
    }

    let limits: CheckingLimits

    /// True: equal; false: provably not; nil: cannot be judged.
    func areEqual(_ left: Expression, _ right: Expression, manner: Manner) -> Bool? {
        guard let a = try? left.value(limits: limits), let b = try? right.value(limits: limits) else { return nil }
        if a == b { return true }
        // Two bare numbers are no calculation; a scale change of percent is a matter of habit.
        if left.isBareNumber, right.isBareNumber { return nil }
        if mixesPercent(left) || mixesPercent(right) { return nil }
        if hasPercent(left) != hasPercent(right), let hundredfold = try? a.multiplied(by: Rational(100)),
            let hundredth = try? a.divided(by: Rational(100)), hundredfold == b || hundredth == b
        {
            return nil
        }
        if isRounding(of: a, right) || isRounding(of: b, left) { return nil }
        if runsOn(left, a, into: right) { return nil }
        if manner == .lenient, isLooseRounding(left, a, right, b) || isLooseRounding(right, b, left, a) { return nil }
        return false
    }

    /// Whether a bare decimal or percentage is the value rounded or cut to its places.
    private func isRounding(of value: Rational, _ literal: Expression) -> Bool {
        guard literal.isBareNumber else { return false }
        var places = literal.literalPlaces
        if case .percent(let inner) = literal { places = inner.literalPlaces + 2 }
        guard places > 0, let written = try? literal.value(limits: limits) else { return false }
        return isWithin(written, value, tenthsPlaces: places)
    }

    private func isWithin(_ a: Rational, _ b: Rational, tenthsPlaces places: Int) -> Bool {
        guard let power = try? Rational(10).raised(to: min(places, 17)),
            let tolerance = try? Rational.one.divided(by: power), let distance = try? a.subtracting(b).magnitude
        else { return false }
        return (try? distance.isLess(than: tolerance)) == true
    }

    /// `3 + 4 = 7 + 5 = 12`: the writer went on with the result.
    ///
    /// Untidy, but no slip of calculation.
    ///
    /// `-5 + 7 + 2 = 4 + 2` looks the same; there the 2 is left over from the line itself, and 4 is a slip.
    private func runsOn(_ left: Expression, _ value: Rational, into right: Expression) -> Bool {
        let before = left.leaves(limit: limits.lineTokens)
        let after = right.leaves(limit: limits.lineTokens)
        guard let head = after.first, head == value, after.count > 1, before.first != head else { return false }
        return before.count <= 2 || after.dropFirst().allSatisfy { !before.contains($0) }
    }

    private func isLooseRounding(_ work: Expression, _ a: Rational, _ result: Expression, _ b: Rational) -> Bool {
        guard let distance = try? a.subtracting(b).magnitude else { return false }
        if divides(work), !divides(result), b.isWhole, (try? distance.isLess(than: .one)) == true { return true }
        guard result.isBareNumber else { return false }
        // A decimal that may itself be rounded: more than one place, and not quarters or tenths.
        let isInexact = work.contains {
            guard case .number(let value, let places) = $0, places >= 2 else { return false }
            return (try? value.multiplied(by: Rational(20)).isWhole) != true
        }
        guard isInexact, let bound = try? a.magnitude.divided(by: Rational(100)) else { return false }
        return (try? distance.isLess(than: bound)) == true
    }

    private func divides(_ expression: Expression) -> Bool {
        expression.contains { if case .quotient = $0 { true } else { false } }
    }

    private func hasPercent(_ expression: Expression) -> Bool {
        expression.contains { if case .percent = $0 { true } else { false } }
    }

    /// `20 + 10%` means 22 on a pocket calculator and 20.1 elsewhere.
    private func mixesPercent(_ expression: Expression) -> Bool {
        expression.contains {
            guard case .sum(let terms) = $0 else { return false }
            let count = terms.count(where: hasPercent)
            return count > 0 && count < terms.count
        }
    }
}
