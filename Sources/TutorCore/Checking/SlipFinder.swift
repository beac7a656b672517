// SlipFinder: which usual slip leads from a right line to a wrong one.
// Spec: docs/builtin.md (kinds of slip)

/// Tries the usual slips on a right line and sees which of them gives the wrong one.
struct SlipFinder {
    /// A slip that explains a line.
    struct Explanation {
        var kind: SlipKind
        /// Whether both sides came out exactly as written, not only an equation with the same solutions.
        var isExact: Bool
    }

    /// Two sides after a slip.
    private struct Version {
        var kind: SlipKind
        var left: Polynomial
        var right: Polynomial
    }

    let limits: CheckingLimits

    /// The slip that leads from an equation to another one.
    func explain(from basis: Equation, to line: Equation) -> Explanation? {
        guard let sides = basis.polynomials, let target = line.polynomials else { return nil }
        var versions: [Version] = []
        // A version that overflows is no explanation; the others still may be.
        try? appendMoves(basis, sides, to: &versions)
        try? appendInside(basis, sides, to: &versions)
        try? appendScalings(basis, sides, to: &versions)
        try? appendWrongOperations(sides, to: &versions)
        if let exact = versions.first(where: { matchesExactly($0, target) }) {
            return Explanation(kind: exact.kind, isExact: true)
        }
        if let factored = factoring(from: basis, to: line) { return factored }
        let numbers = arithmetic(from: basis, to: line)
        if let numbers, StepShape(basis: basis, line: line).sharesSide { return numbers }
        if let similar = versions.first(where: { matchesInSolution($0, line, basis) }) {
            return Explanation(kind: similar.kind, isExact: false)
        }
        return numbers
    }

    /// The slip that makes one expression another.
    func explain(from basis: Expression, to result: Expression) -> SlipKind? {
        guard let target = try? result.normalised(limits: limits) else { return nil }
        let found = ExpressionSlips.versions(of: basis, includesTop: true).first { version in
            (try? version.expression.normalised(limits: limits).isIdentical(to: target, limits: limits)) == true
        }
        return found?.kind
    }

    // MARK: What a slip makes of the two sides

    private func appendMoves(
        _ basis: Equation, _ sides: (left: Polynomial, right: Polynomial), to versions: inout [Version]
    ) throws(MathError) {
        let left = try movable(basis.left, sides.left)
        let right = try movable(basis.right, sides.right)
        for term in left {
            versions.append(
                Version(kind: .sign, left: try sides.left.subtracting(term), right: try sides.right.adding(term)))
        }
        for term in right {
            versions.append(
                Version(kind: .sign, left: try sides.left.adding(term), right: try sides.right.subtracting(term)))
        }
        guard sides.left.coefficients.count + sides.right.coefficients.count > 2 else { return }
        for term in left {
            versions.append(Version(kind: .droppedTerm, left: try sides.left.subtracting(term), right: sides.right))
        }
        for term in right {
            versions.append(Version(kind: .droppedTerm, left: sides.left, right: try sides.right.subtracting(term)))
        }
    }

    /// Terms as written and terms of the normal form.
    private func movable(_ side: Expression, _ form: Polynomial) throws(MathError) -> [Polynomial] {
        var terms = form.terms.map { Polynomial($0.coefficient, $0.monomial) }
        for written in side.terms {
            if let term = try written.normalised(limits: limits).polynomial, !term.isZero, !terms.contains(term) {
                terms.append(term)
            }
        }
        return terms
    }

    private func appendInside(
        _ basis: Equation, _ sides: (left: Polynomial, right: Polynomial), to versions: inout [Version]
    ) throws(MathError) {
        for version in ExpressionSlips.versions(of: basis.left, includesTop: false) {
            if let left = try? version.expression.normalised(limits: limits).polynomial {
                versions.append(Version(kind: version.kind, left: left, right: sides.right))
            }
        }
        for version in ExpressionSlips.versions(of: basis.right, includesTop: false) {
            if let right = try? version.expression.normalised(limits: limits).polynomial {
                versions.append(Version(kind: version.kind, left: sides.left, right: right))
            }
        }
    }

    /// Only one side, or all terms but one, multiplied or divided.
    private func appendScalings(
        _ basis: Equation, _ sides: (left: Polynomial, right: Polynomial), to versions: inout [Version]
    ) throws(MathError) {
        let left = try movable(basis.left, sides.left)
        let right = try movable(basis.right, sides.right)
        for factor in factors(of: basis, sides) {
            for scale in [try Rational.one.divided(by: factor), factor] {
                let (bigLeft, bigRight) = (try sides.left.scaled(by: scale), try sides.right.scaled(by: scale))
                versions.append(Version(kind: .divisionOfOneSide, left: bigLeft, right: sides.right))
                versions.append(Version(kind: .divisionOfOneSide, left: sides.left, right: bigRight))
                let surplus = try Rational.one.subtracting(scale)
                for term in left {
                    let kept = try bigLeft.adding(term.scaled(by: surplus))
                    versions.append(Version(kind: .divisionOfOneSide, left: kept, right: bigRight))
                }
                for term in right {
                    let kept = try bigRight.adding(term.scaled(by: surplus))
                    versions.append(Version(kind: .divisionOfOneSide, left: bigLeft, right: kept))
                }
            }
        }
    }

    /// A factor treated as a term, or a term as a factor.
    private func appendWrongOperations(
        _ sides: (left: Polynomial, right: Polynomial), to versions: inout [Version]
    ) throws(MathError) {
        for (near, far, isSwapped) in [(sides.left, sides.right, false), (sides.right, sides.left, true)] {
            func add(_ a: Polynomial, _ b: Polynomial) {
                versions.append(
                    Version(kind: .wrongOperation, left: isSwapped ? b : a, right: isSwapped ? a : b))
            }
            guard let content = near.terms.first(where: { $0.monomial != .unit })?.coefficient else { continue }
            let bare = try near.scaled(by: Rational.one.divided(by: content))
            // x/3 = 4: the divisor is what should have been undone.
            let undone = content.numerator.magnitude == 1 ? Rational(content.denominator) : content
            if undone != .one {
                add(bare, try far.subtracting(Polynomial(undone)))
                add(bare, try far.adding(Polynomial(undone)))
                add(bare, try far.scaled(by: content))
                if let value = far.constant, !value.isZero { add(bare, Polynomial(try content.divided(by: value))) }
            }
            let constant = near[.unit]
            if !constant.isZero, constant.magnitude != .one {
                let rest = try near.subtracting(Polynomial(constant))
                add(rest, try far.scaled(by: constant))
                add(rest, try far.scaled(by: Rational.one.divided(by: constant)))
            }
        }
        // 3x + 5 = 20 taken as 8x = 20: unlike terms put together.
        for (near, far) in [(sides.left, sides.right), (sides.right, sides.left)] where near.coefficients.count == 2 {
            guard let term = near.terms.first(where: { $0.monomial != .unit }), !near[.unit].isZero else { continue }
            let merged = Polynomial(try term.coefficient.adding(near[.unit]), term.monomial)
            versions.append(Version(kind: .other, left: merged, right: far))
        }
    }

    /// Numbers that a step would divide or multiply by.
    private func factors(of basis: Equation, _ sides: (left: Polynomial, right: Polynomial)) -> [Rational] {
        var found: [Rational] = []
        func add(_ value: Rational) {
            if !value.isZero, value.magnitude != .one, !found.contains(value), found.count < 8 { found.append(value) }
        }
        for side in [sides.left, sides.right] {
            for term in side.terms {
                add(Rational(term.coefficient.denominator))
                if term.monomial != .unit { add(term.coefficient) }
            }
        }
        for term in basis.difference.terms where term.monomial != .unit { add(term.coefficient) }
        for side in [basis.left, basis.right] {
            for term in side.terms {
                for factor in term.children { if case .number(let value, _) = factor { add(value) } }
                if case .quotient(_, .number(let value, _)) = term { add(value) }
            }
        }
        return found
    }

    // MARK: Whether it is the line

    /// A product that would be the right factoring with one other sign.
    private func factoring(from basis: Equation, to line: Equation) -> Explanation? {
        guard basis.difference.degree > 1, line.bracketCount > basis.bracketCount else { return nil }
        for (side, other) in [(line.left, line.rightForm), (line.right, line.leftForm)] {
            for version in ExpressionSlips.versions(of: side, includesTop: false) where version.kind == .sign {
                guard let form = try? version.expression.normalised(limits: limits),
                    let difference = try? form.difference(from: other, limits: limits),
                    (try? difference.ratio(to: basis.difference)) != nil
                else { continue }
                return Explanation(kind: .sign, isExact: true)
            }
        }
        return nil
    }

    private func matchesExactly(_ version: Version, _ target: (left: Polynomial, right: Polynomial)) -> Bool {
        (version.left == target.left && version.right == target.right)
            || (version.left == target.right && version.right == target.left)
    }

    private func matchesInSolution(_ version: Version, _ line: Equation, _ basis: Equation) -> Bool {
        guard let difference = try? version.left.subtracting(version.right), difference.degree > 0,
            let ratio = try? line.difference.ratio(to: difference)
        else { return false }
        if line.solved != nil { return true }
        // Another factor than by dividing, or by clearing a denominator, is another exercise.
        let size = ratio.magnitude
        let hasFractions = basis.difference.coefficients.values.contains { !$0.isWhole }
        return size == .one || size.numerator == 1 || (hasFractions && size.isWhole)
    }

    /// One number came out wrong.
    ///
    /// Never exact: any two exercises may differ by one number.
    private func arithmetic(from basis: Equation, to line: Equation) -> Explanation? {
        let slip = Explanation(kind: .arithmetic, isExact: false)
        if line.solved != nil { return slip }
        guard let sides = basis.polynomials, let target = line.polynomials else { return nil }
        if hasOneNewTerm(target, from: sides, collects: StepShape.letterTerms(basis).count > 1) { return slip }
        // (5x + 7)/3 = 4 to 5x + 7 = 13: the side with the unknown is scaled as it should be.
        let factors = factors(of: basis, sides)
        for scale in factors + factors.compactMap({ try? Rational.one.divided(by: $0) }) {
            if target.left.degree > 0, (try? sides.left.scaled(by: scale)) == target.left { return slip }
            if target.right.degree > 0, (try? sides.right.scaled(by: scale)) == target.right { return slip }
        }
        // Moved and put together at once: 5x - 2 = 3x + 8 to 2x = 11.
        let (wrong, right) = (line.difference, basis.difference)
        guard line.isSeparated, !basis.isSeparated else { return nil }
        for candidate in [right, right.negated] {
            let monomials = Set(wrong.coefficients.keys).union(candidate.coefficients.keys)
            if monomials.count(where: { wrong[$0] != candidate[$0] }) == 1 { return slip }
        }
        return nil
    }

    /// Whether all terms but one stand in the basis, whatever their sign.
    ///
    /// A new term with the unknown counts only where there were several to put together: `9x = 14` may come from `2x +
    /// 6x = 14`, but not from `8x = 14`.
    private func hasOneNewTerm(
        _ target: (left: Polynomial, right: Polynomial), from basis: (left: Polynomial, right: Polynomial),
        collects: Bool
    ) -> Bool {
        func terms(_ side: Polynomial) -> [Polynomial] {
            side.isZero ? [side] : side.terms.map { Polynomial($0.coefficient.magnitude, $0.monomial) }
        }
        let known = Set(terms(basis.left) + terms(basis.right))
        let fresh = (terms(target.left) + terms(target.right)).filter { !known.contains($0) }
        return fresh.count == 1 && (fresh[0].degree == 0 || collects)
    }
}
