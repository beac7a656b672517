// RationalFunction: a quotient of two polynomials.
// Spec: docs/builtin.md (normal form)

/// A quotient of two polynomials, so that `12/x = 3` can be judged.
///
/// Not reduced; compare with ``isIdentical(to:limits:)``.
public struct RationalFunction: Sendable, Hashable {
    /// Above the line.
    public let numerator: Polynomial
    /// Below the line, not zero.
    public let denominator: Polynomial

    /// Makes a quotient; a constant below the line is divided out.
    public init(_ numerator: Polynomial, over denominator: Polynomial) throws(MathError) {
        guard !denominator.isZero else { throw .divisionByZero }
        if let number = denominator.constant {
            self.numerator = number == .one ? numerator : try numerator.scaled(by: Rational.one.divided(by: number))
            self.denominator = Polynomial(.one)
        } else {
            self.numerator = numerator
            self.denominator = denominator
        }
    }

    /// Makes a polynomial.
    public init(_ polynomial: Polynomial) {
        numerator = polynomial
        denominator = Polynomial(.one)
    }

    /// The polynomial, where no unknown is below the line.
    public var polynomial: Polynomial? { denominator.constant == nil ? nil : numerator }
    /// The value, where no unknown is left.
    public var constant: Rational? { polynomial?.constant }
    /// The unknowns in it.
    public var letters: Set<Unicode.Scalar> { numerator.letters.union(denominator.letters) }

    /// The sum.
    public func adding(_ other: RationalFunction, limits: CheckingLimits) throws(MathError) -> RationalFunction {
        if denominator == other.denominator {
            return try RationalFunction(numerator.adding(other.numerator), over: denominator)
        }
        let left = try numerator.multiplied(by: other.denominator, limits: limits)
        let right = try other.numerator.multiplied(by: denominator, limits: limits)
        return try RationalFunction(
            left.adding(right), over: denominator.multiplied(by: other.denominator, limits: limits))
    }

    /// The same with the sign turned.
    public func negated() throws(MathError) -> RationalFunction {
        try RationalFunction(numerator.negated, over: denominator)
    }

    /// The product.
    public func multiplied(by other: RationalFunction, limits: CheckingLimits) throws(MathError) -> RationalFunction {
        try RationalFunction(
            numerator.multiplied(by: other.numerator, limits: limits),
            over: denominator.multiplied(by: other.denominator, limits: limits))
    }

    /// The quotient.
    public func divided(by other: RationalFunction, limits: CheckingLimits) throws(MathError) -> RationalFunction {
        guard !other.numerator.isZero else { throw .divisionByZero }
        return try multiplied(
            by: RationalFunction(other.denominator, over: other.numerator), limits: limits)
    }

    /// What vanishes where this equals the other: the difference above a common line.
    public func difference(from other: RationalFunction, limits: CheckingLimits) throws(MathError) -> Polynomial {
        try adding(other.negated(), limits: limits).numerator
    }

    /// Whether both have the same value for all values of the unknowns.
    public func isIdentical(to other: RationalFunction, limits: CheckingLimits) throws(MathError) -> Bool {
        try difference(from: other, limits: limits).isZero
    }
}
