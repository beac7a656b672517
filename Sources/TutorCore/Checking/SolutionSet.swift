// SolutionSet: which values of one unknown make an equation true.
// Spec: docs/builtin.md (what it can judge)

/// Which values of one unknown make an equation true.
public enum SolutionSet: Sendable, Hashable {
    /// Every value.
    case all
    /// Exactly these, in no special order; empty when there is none.
    case values(Set<Rational>)
    /// Not known exactly: irrational roots, or a degree that is not solved here.
    case unknown

    /// Solves `polynomial = 0` for its one unknown.
    ///
    /// `excluded` vanishes where the equation has no meaning.
    public static func solving(
        _ polynomial: Polynomial, excluded: Polynomial, limits: CheckingLimits
    ) throws(MathError) -> SolutionSet {
        if polynomial.isZero { return .all }
        if polynomial.constant != nil { return .values([]) }
        guard let letter = polynomial.letters.first, polynomial.letters.count == 1 else { return .unknown }
        guard let roots = try roots(of: polynomial, letter: letter) else { return .unknown }
        var kept: Set<Rational> = []
        for root in roots where try excluded.value(at: root, for: letter)?.isZero != true { kept.insert(root) }
        return .values(kept)
    }

    private static func roots(of polynomial: Polynomial, letter: Unicode.Scalar) throws(MathError) -> Set<Rational>? {
        let x = Monomial(letter)
        var coefficients: [Rational] = []
        var power = Monomial.unit
        for _ in 0...polynomial.degree {
            coefficients.append(polynomial[power])
            power = power.multiplied(by: x)
        }
        // Take out roots at zero, so that 2x^3 = 8x is a quadratic too.
        var found: Set<Rational> = []
        while let lowest = coefficients.first, lowest.isZero {
            coefficients.removeFirst()
            found.insert(.zero)
        }
        switch coefficients.count {
        case 1: return found
        case 2:
            found.insert(try coefficients[0].negated.divided(by: coefficients[1]))
            return found
        case 3:
            let (c, b, a) = (coefficients[0], coefficients[1], coefficients[2])
            let fourAC = try Rational(4).multiplied(by: a).multiplied(by: c)
            let discriminant = try b.multiplied(by: b).subtracting(fourAC)
            // No real solution is a definite answer; an irrational one is not.
            if discriminant.isNegative { return found }
            guard let root = discriminant.squareRoot else { return nil }
            let twiceA = try Rational(2).multiplied(by: a)
            found.insert(try b.negated.adding(root).divided(by: twiceA))
            found.insert(try b.negated.subtracting(root).divided(by: twiceA))
            return found
        default: return nil
        }
    }
}
