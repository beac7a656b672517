// Correction: what a wrong line should read.
// Spec: docs/builtin.md (hint levels)

/// What a wrong line should read: the right equation of the same shape.
struct Correction {
    let text: String
    let values: [Rational]

    /// The right version of an equation that should follow from a basis.
    init?(of line: Equation, from basis: Equation, kind: SlipKind, limits: CheckingLimits) {
        guard let sides = basis.polynomials else { return nil }
        let simplified = (sides.left, sides.right)
        var candidates = [simplified]
        if let isolated = try? Self.isolated(basis) {
            candidates.append(isolated)
            if let solved = try? Self.solved(isolated) { candidates.append(solved) }
        }
        let shape = line.polynomials.map { (Self.shape($0.left), Self.shape($0.right)) }
        let wantsSolved = line.solved != nil
        let fitting = candidates.filter { candidate in
            guard let shape else { return false }
            return Self.shape(candidate.0) == shape.0 && Self.shape(candidate.1) == shape.1
        }
        let scaled = fitting.first { candidate in
            let coefficient = candidate.0.terms.first?.coefficient
            return coefficient == line.leftForm.polynomial?.terms.first?.coefficient
        }
        let chosen = wantsSolved ? candidates.last : scaled ?? fitting.first ?? candidates.last
        guard let chosen else { return nil }
        text = "\(chosen.0) = \(chosen.1)"
        values = Self.numbers(chosen.0) + Self.numbers(chosen.1)
    }

    /// `3x = 18`: unknowns left, numbers right.
    private static func isolated(_ basis: Equation) throws(MathError) -> (Polynomial, Polynomial) {
        guard let sides = basis.polynomials else { throw .syntax }
        let difference = try sides.left.subtracting(sides.right)
        let constant = Polynomial(difference[.unit])
        var unknowns = try difference.subtracting(constant)
        var number = constant.negated
        if let first = unknowns.terms.first, first.coefficient.isNegative {
            (unknowns, number) = (unknowns.negated, number.negated)
        }
        return (unknowns, number)
    }

    private static func solved(_ isolated: (Polynomial, Polynomial)) throws(MathError) -> (Polynomial, Polynomial) {
        guard isolated.0.coefficients.count == 1, isolated.0.degree == 1, let term = isolated.0.terms.first else {
            throw .syntax
        }
        let scale = try Rational.one.divided(by: term.coefficient)
        return (try isolated.0.scaled(by: scale), try isolated.1.scaled(by: scale))
    }

    private static func shape(_ side: Polynomial) -> [Monomial] { side.isZero ? [.unit] : side.terms.map(\.monomial) }

    private static func numbers(_ side: Polynomial) -> [Rational] { side.terms.map(\.coefficient) }
}
