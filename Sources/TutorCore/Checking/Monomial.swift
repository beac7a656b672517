// Monomial: a product of unknowns.
// Spec: docs/builtin.md (normal form)

/// A product of unknowns with whole exponents; the empty one is the constant term.
public struct Monomial: Sendable, Hashable, Comparable {
    /// One unknown and its exponent.
    public struct Factor: Sendable, Hashable {
        /// The unknown.
        public let letter: Unicode.Scalar
        /// Its exponent, > 0.
        public var exponent: Int
    }

    /// Sorted by letter.
    public private(set) var factors: [Factor]

    /// The constant term.
    public static let unit = Monomial(factors: [])

    private init(factors: [Factor]) { self.factors = factors }

    /// One unknown.
    public init(_ letter: Unicode.Scalar) {
        factors = [Factor(letter: letter, exponent: 1)]
    }

    /// One unknown with its exponent.
    init(_ factor: Factor) { factors = [factor] }

    /// Sum of the exponents.
    public var degree: Int { factors.reduce(0) { $0 + $1.exponent } }

    /// The product.
    public func multiplied(by other: Monomial) -> Monomial {
        if factors.isEmpty { return other }
        if other.factors.isEmpty { return self }
        var merged: [Factor] = []
        var (i, j) = (0, 0)
        while i < factors.count || j < other.factors.count {
            if j == other.factors.count || (i < factors.count && factors[i].letter < other.factors[j].letter) {
                merged.append(factors[i])
                i += 1
            } else if i == factors.count || other.factors[j].letter < factors[i].letter {
                merged.append(other.factors[j])
                j += 1
            } else {
                merged.append(
                    Factor(letter: factors[i].letter, exponent: factors[i].exponent + other.factors[j].exponent))
                i += 1
                j += 1
            }
        }
        return Monomial(factors: merged)
    }

    /// Writing order: higher degree first, then by letters.
    public static func < (left: Monomial, right: Monomial) -> Bool {
        if left.degree != right.degree { return left.degree > right.degree }
        for (a, b) in zip(left.factors, right.factors) where a != b {
            return a.letter != b.letter ? a.letter < b.letter : a.exponent > b.exponent
        }
        return left.factors.count < right.factors.count
    }
}

extension Monomial: CustomStringConvertible {
    /// `x`, `x^2y`.
    public var description: String {
        factors.map { $0.exponent == 1 ? "\($0.letter)" : "\($0.letter)^\($0.exponent)" }.joined()
    }
}
