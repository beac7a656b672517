// Polynomial: the normal form of an expression without division by unknowns.
// Spec: docs/builtin.md (normal form)

/// A sum of monomials with exact coefficients.
///
/// Equal values have equal normal forms.
public struct Polynomial: Sendable, Hashable {
    /// Coefficients that are not zero.
    public private(set) var coefficients: [Monomial: Rational]

    /// Nothing.
    public static let zero = Polynomial(coefficients: [:])

    private init(coefficients: [Monomial: Rational]) { self.coefficients = coefficients }

    /// A constant.
    public init(_ value: Rational) {
        coefficients = value.isZero ? [:] : [.unit: value]
    }

    /// One term.
    public init(_ coefficient: Rational, _ monomial: Monomial) {
        coefficients = coefficient.isZero ? [:] : [monomial: coefficient]
    }

    /// Whether it vanishes.
    public var isZero: Bool { coefficients.isEmpty }
    /// Its value when no unknown is left in it.
    public var constant: Rational? {
        if coefficients.isEmpty { return .zero }
        return coefficients.count == 1 ? coefficients[.unit] : nil
    }
    /// The unknowns in it.
    public var letters: Set<Unicode.Scalar> {
        var found: Set<Unicode.Scalar> = []
        for monomial in coefficients.keys {
            for factor in monomial.factors { found.insert(factor.letter) }
        }
        return found
    }
    /// Highest total degree; 0 for constants.
    public var degree: Int { coefficients.keys.reduce(0) { max($0, $1.degree) } }
    /// Its terms in writing order.
    public var terms: [(monomial: Monomial, coefficient: Rational)] {
        coefficients.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The coefficient of a monomial, zero when it is not there.
    public subscript(monomial: Monomial) -> Rational { coefficients[monomial] ?? .zero }

    /// The sum.
    public func adding(_ other: Polynomial) throws(MathError) -> Polynomial {
        var sum = coefficients
        for (monomial, value) in other.coefficients {
            let total = try (sum[monomial] ?? .zero).adding(value)
            sum[monomial] = total.isZero ? nil : total
        }
        return Polynomial(coefficients: sum)
    }

    /// The same with every sign turned.
    public var negated: Polynomial { Polynomial(coefficients: coefficients.mapValues(\.negated)) }

    /// The difference.
    public func subtracting(_ other: Polynomial) throws(MathError) -> Polynomial { try adding(other.negated) }

    /// The product with a number.
    public func scaled(by factor: Rational) throws(MathError) -> Polynomial {
        var scaled: [Monomial: Rational] = [:]
        for (monomial, value) in coefficients {
            let product = try value.multiplied(by: factor)
            if !product.isZero { scaled[monomial] = product }
        }
        return Polynomial(coefficients: scaled)
    }

    /// The product, within the limits.
    public func multiplied(by other: Polynomial, limits: CheckingLimits) throws(MathError) -> Polynomial {
        guard degree + other.degree <= limits.degree || isZero || other.isZero else { throw .tooComplex }
        var product: [Monomial: Rational] = [:]
        for (a, left) in coefficients {
            for (b, right) in other.coefficients {
                let monomial = a.multiplied(by: b)
                let total = try (product[monomial] ?? .zero).adding(left.multiplied(by: right))
                product[monomial] = total.isZero ? nil : total
            }
            guard product.count <= limits.terms else { throw .tooComplex }
        }
        return Polynomial(coefficients: product)
    }

    /// The value with a number put in for one unknown; nil when other unknowns remain.
    public func value(at number: Rational, for letter: Unicode.Scalar) throws(MathError) -> Rational? {
        var total = Rational.zero
        for (monomial, coefficient) in coefficients {
            var term = coefficient
            for factor in monomial.factors {
                guard factor.letter == letter else { return nil }
                term = try term.multiplied(by: number.raised(to: factor.exponent))
            }
            total = try total.adding(term)
        }
        return total
    }

    /// The polynomial with a number put in for one unknown.
    public func replacing(
        _ letter: Unicode.Scalar, with number: Rational, limits: CheckingLimits
    ) throws(MathError) -> Polynomial {
        var total = Polynomial.zero
        for (monomial, coefficient) in coefficients {
            var term = Polynomial(coefficient)
            for factor in monomial.factors {
                let part =
                    factor.letter == letter
                    ? Polynomial(try number.raised(to: factor.exponent))
                    : Polynomial(.one, Monomial(factor))
                term = try term.multiplied(by: part, limits: limits)
            }
            total = try total.adding(term)
        }
        return total
    }

    /// The number that this is of another one (`self = r * other`), or nil when they are not proportional.
    public func ratio(to other: Polynomial) throws(MathError) -> Rational? {
        guard coefficients.count == other.coefficients.count, let (monomial, value) = coefficients.first,
            let counterpart = other.coefficients[monomial]
        else { return nil }
        let ratio = try value.divided(by: counterpart)
        return try other.scaled(by: ratio) == self ? ratio : nil
    }
}

extension Polynomial: CustomStringConvertible {
    /// `3x - 6`, `x/2 + 1`, `0`.
    public var description: String {
        guard !isZero else { return "0" }
        var text = ""
        for (monomial, coefficient) in terms {
            if text.isEmpty {
                text += coefficient.isNegative ? "-" : ""
            } else {
                text += coefficient.isNegative ? " - " : " + "
            }
            text += Self.term(coefficient.magnitude, monomial)
        }
        return text
    }

    private static func term(_ size: Rational, _ monomial: Monomial) -> String {
        guard monomial != .unit else { return "\(size)" }
        let top = size.numerator == 1 ? "\(monomial)" : "\(size.numerator)\(monomial)"
        return size.isWhole ? top : "\(top)/\(size.denominator)"
    }
}
