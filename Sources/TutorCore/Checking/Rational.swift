// Rational: an exact fraction of two machine integers.
// Spec: docs/builtin.md (exact arithmetic)

/// An exact fraction in lowest terms, denominator above zero.
///
/// Arithmetic that leaves the range throws.
public struct Rational: Sendable, Hashable {
    /// Above the line.
    public let numerator: Int
    /// Below the line, > 0.
    public let denominator: Int

    /// Nothing.
    public static let zero = Rational(0)
    /// One.
    public static let one = Rational(1)

    /// Makes a whole number.
    public init(_ whole: Int) {
        numerator = whole
        denominator = 1
    }

    /// Makes a fraction and reduces it.
    public init(_ numerator: Int, over denominator: Int) throws(MathError) {
        guard denominator != 0 else { throw .divisionByZero }
        // The magnitude of Int.min does not fit, so it never takes part.
        guard numerator != Int.min, denominator != Int.min else { throw .overflow }
        if denominator == 1 {
            // Whole numbers are nearly all there is: no divisor to look for.
            self.numerator = numerator
            self.denominator = 1
            return
        }
        let divisor = Self.greatestCommonDivisor(numerator.magnitude, denominator.magnitude)
        let sign = denominator < 0 ? -1 : 1
        self.numerator = sign * numerator / divisor
        self.denominator = sign * denominator / divisor
    }

    private static func greatestCommonDivisor(_ a: UInt, _ b: UInt) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return Int(clamping: max(a, 1))
    }

    /// Whether it has no part below the line.
    public var isWhole: Bool { denominator == 1 }
    /// Whether it is nothing.
    public var isZero: Bool { numerator == 0 }
    /// Whether it lies below zero.
    public var isNegative: Bool { numerator < 0 }
    /// The same size, other sign.
    ///
    /// Exact: `Int.min` never takes part.
    public var negated: Rational { Rational(unchecked: -numerator, denominator) }
    /// The distance from zero.
    public var magnitude: Rational { isNegative ? negated : self }

    private init(unchecked numerator: Int, _ denominator: Int) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The sum.
    public func adding(_ other: Rational) throws(MathError) -> Rational {
        let left = try Self.multiply(numerator, other.denominator)
        let right = try Self.multiply(other.numerator, denominator)
        let (sum, overflow) = left.addingReportingOverflow(right)
        guard !overflow else { throw .overflow }
        return try Rational(sum, over: Self.multiply(denominator, other.denominator))
    }

    /// The difference.
    public func subtracting(_ other: Rational) throws(MathError) -> Rational {
        try adding(other.negated)
    }

    /// The product.
    public func multiplied(by other: Rational) throws(MathError) -> Rational {
        // Reducing crosswise first keeps the factors small.
        let a = try Rational(numerator, over: other.denominator)
        let b = try Rational(other.numerator, over: denominator)
        return try Rational(
            Self.multiply(a.numerator, b.numerator), over: Self.multiply(a.denominator, b.denominator))
    }

    /// The quotient.
    public func divided(by other: Rational) throws(MathError) -> Rational {
        try multiplied(by: Rational(other.denominator, over: other.numerator))
    }

    /// The power with a whole exponent, >= 0.
    public func raised(to exponent: Int) throws(MathError) -> Rational {
        var result = Rational.one
        for _ in 0..<max(exponent, 0) { result = try result.multiplied(by: self) }
        return result
    }

    /// Whether it is below another one.
    public func isLess(than other: Rational) throws(MathError) -> Bool {
        try subtracting(other).isNegative
    }

    /// The root, where it is rational too.
    public var squareRoot: Rational? {
        guard !isNegative, let top = Self.wholeRoot(numerator), let bottom = Self.wholeRoot(denominator) else {
            return nil
        }
        return Rational(unchecked: top, bottom)
    }

    private static func wholeRoot(_ number: Int) -> Int? {
        let guess = Int(Double(number).squareRoot())
        for root in max(guess - 1, 0)...(guess + 1) {
            let (square, overflow) = root.multipliedReportingOverflow(by: root)
            if !overflow, square == number { return root }
        }
        return nil
    }

    private static func multiply(_ a: Int, _ b: Int) throws(MathError) -> Int {
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        guard !overflow else { throw .overflow }
        return product
    }
}

extension Rational: CustomStringConvertible {
    /// `3`, `-7/2`.
    public var description: String { isWhole ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
