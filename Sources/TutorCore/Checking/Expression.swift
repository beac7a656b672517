// Expression: mathematics as it was written, before any simplification.
// Spec: docs/builtin.md (what it can judge)

/// Mathematics as it was written.
///
/// The slips are looked for here, because a normal form has no brackets to slip on.
public indirect enum Expression: Sendable, Hashable {
    /// A number; `places` digits after its decimal point.
    case number(Rational, places: Int)
    /// An unknown.
    case letter(Unicode.Scalar)
    /// Terms that are added; a subtracted one is ``negative(_:)``.
    case sum([Expression])
    /// The opposite.
    case negative(Expression)
    /// Factors.
    case product([Expression])
    /// One divided by the other.
    case quotient(Expression, Expression)
    /// A power with a whole exponent.
    case power(Expression, Int)
    /// Hundredths.
    case percent(Expression)

    /// A whole number.
    public static func whole(_ value: Int) -> Expression { .number(Rational(value), places: 0) }

    /// The value as a quotient of polynomials.
    public func normalised(limits: CheckingLimits) throws(MathError) -> RationalFunction {
        switch self {
        case .number(let value, _): return RationalFunction(Polynomial(value))
        case .letter(let letter): return RationalFunction(Polynomial(.one, Monomial(letter)))
        case .sum(let terms):
            var total = RationalFunction(.zero)
            for term in terms { total = try total.adding(term.normalised(limits: limits), limits: limits) }
            return total
        case .negative(let inner): return try inner.normalised(limits: limits).negated()
        case .product(let factors):
            var total = RationalFunction(Polynomial(.one))
            for factor in factors {
                total = try total.multiplied(by: factor.normalised(limits: limits), limits: limits)
            }
            return total
        case .quotient(let top, let bottom):
            return try top.normalised(limits: limits).divided(by: bottom.normalised(limits: limits), limits: limits)
        case .power(let base, let exponent):
            return try Self.power(base.normalised(limits: limits), exponent, limits: limits)
        case .percent(let inner):
            let hundredth = try RationalFunction(Polynomial(Rational(1, over: 100)))
            return try inner.normalised(limits: limits).multiplied(by: hundredth, limits: limits)
        }
    }

    private static func power(
        _ base: RationalFunction, _ exponent: Int, limits: CheckingLimits
    ) throws(MathError) -> RationalFunction {
        guard exponent <= (base.constant == nil ? limits.degree : limits.exponent) else { throw .tooComplex }
        var result = RationalFunction(Polynomial(.one))
        for _ in 0..<exponent { result = try result.multiplied(by: base, limits: limits) }
        return result
    }

    /// The value, where no unknown is left.
    public func value(limits: CheckingLimits) throws(MathError) -> Rational? {
        try normalised(limits: limits).constant
    }

    /// The top-level terms.
    public var terms: [Expression] {
        if case .sum(let terms) = self { return terms }
        return [self]
    }

    /// Numbers and unknowns in it: a measure of how far it is from done.
    public var leafCount: Int {
        switch self {
        case .number, .letter: 1
        case .sum(let parts), .product(let parts): parts.reduce(0) { $0 + $1.leafCount }
        case .negative(let inner), .percent(let inner): inner.leafCount
        case .power(let base, _): base.leafCount
        case .quotient(let top, let bottom): top.leafCount + bottom.leafCount
        }
    }

    /// Sums that stand inside a product, a quotient, a power or behind a minus: the brackets still to open.
    public var bracketCount: Int {
        switch self {
        case .number, .letter: 0
        case .sum(let parts): parts.reduce(0) { $0 + $1.bracketCount }
        case .product(let parts): parts.reduce(0) { $0 + $1.bracketCountInside }
        case .negative(let inner), .percent(let inner): inner.bracketCountInside
        case .power(let base, _): base.bracketCountInside
        case .quotient(let top, let bottom): top.bracketCountInside + bottom.bracketCountInside
        }
    }

    private var bracketCountInside: Int {
        if case .sum = self { return bracketCount + 1 }
        return bracketCount
    }

    /// The sums with unknowns that stand in brackets.
    var bracketsWithLetters: [Expression] {
        var found: [Expression] = []
        collectBrackets(isInside: false, into: &found)
        return found
    }

    /// The quotients with unknowns in them.
    var quotientsWithLetters: [Expression] {
        if case .quotient = self, contains(where: { if case .letter = $0 { true } else { false } }) { return [self] }
        return children.flatMap(\.quotientsWithLetters)
    }

    private func collectBrackets(isInside: Bool, into found: inout [Expression]) {
        if case .sum(let terms) = self {
            if isInside, contains(where: { if case .letter = $0 { true } else { false } }) { found.append(self) }
            for term in terms { term.collectBrackets(isInside: false, into: &found) }
        } else {
            for child in children { child.collectBrackets(isInside: true, into: &found) }
        }
    }

    /// Whether it is a value with nothing left to work out: a bare number, or a fraction in lowest terms.
    public var isLiteral: Bool {
        switch self {
        case .negative(let inner), .percent(let inner): inner.isLiteral
        case .quotient(.number(let top, places: 0), .number(let bottom, places: 0)):
            bottom.isWhole && (try? top.divided(by: bottom).denominator) == bottom.numerator
        case .letter, .number, .power, .product, .quotient, .sum: isBareNumber
        }
    }

    /// Whether it is a number, signed or with a percent sign, and no operation at all.
    var isBareNumber: Bool {
        switch self {
        case .number: true
        case .negative(let inner), .percent(let inner): inner.isBareNumber
        case .letter, .power, .product, .quotient, .sum: false
        }
    }

    /// Digits after the decimal point of a bare decimal; 0 otherwise.
    public var literalPlaces: Int {
        switch self {
        case .number(_, let places): places
        case .negative(let inner): inner.literalPlaces
        case .letter, .percent, .power, .product, .quotient, .sum: 0
        }
    }

    /// The numbers in it from left to right, a minus directly before one included; at most `limit` of them.
    func leaves(limit: Int) -> [Rational] {
        var found: [Rational] = []
        collectLeaves(into: &found, limit: limit)
        return found
    }

    private func collectLeaves(into found: inout [Rational], limit: Int) {
        guard found.count < limit else { return }
        switch self {
        case .number(let value, _): found.append(value)
        case .negative(.number(let value, _)): found.append(value.negated)
        default: for child in children { child.collectLeaves(into: &found, limit: limit) }
        }
    }

    /// Whether a sub-expression satisfies a condition.
    public func contains(where condition: (Expression) -> Bool) -> Bool {
        if condition(self) { return true }
        return children.contains { $0.contains(where: condition) }
    }

    /// The direct parts.
    public var children: [Expression] {
        switch self {
        case .number, .letter: []
        case .sum(let parts), .product(let parts): parts
        case .negative(let inner), .percent(let inner), .power(let inner, _): [inner]
        case .quotient(let top, let bottom): [top, bottom]
        }
    }

    /// The same expression with its n-th direct part exchanged.
    func replacingChild(_ index: Int, with part: Expression) -> Expression {
        switch self {
        case .number, .letter: self
        case .sum(var parts):
            {
                parts[index] = part
                return .sum(parts)
            }()
        case .product(var parts):
            {
                parts[index] = part
                return .product(parts)
            }()
        case .negative: .negative(part)
        case .percent: .percent(part)
        case .power(_, let exponent): .power(part, exponent)
        case .quotient(let top, let bottom): index == 0 ? .quotient(part, bottom) : .quotient(top, part)
        }
    }
}
