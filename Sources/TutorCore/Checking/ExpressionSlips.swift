// ExpressionSlips: what an expression becomes by one usual slip.
// Spec: docs/builtin.md (kinds of slip)

/// Lists what an expression becomes when exactly one usual slip is made somewhere in it.
struct ExpressionSlips {
    /// One wrong version.
    struct Version {
        var kind: SlipKind
        var expression: Expression
    }

    /// Most versions that are listed.
    ///
    /// Expressions on a line have some tens.
    static let maximumVersions = 400

    private var versions: [Version] = []

    /// The versions of an expression.
    ///
    /// `includesTop`: whether top-level terms may lose their sign or vanish; in an equation those are moves between the
    /// sides and are tried there.
    static func versions(of expression: Expression, includesTop: Bool) -> [Version] {
        var slips = ExpressionSlips()
        slips.collect(expression, isTop: !includesTop) { $0 }
        return slips.versions
    }

    private mutating func add(_ kind: SlipKind, _ expression: Expression) {
        guard versions.count < Self.maximumVersions else { return }
        versions.append(Version(kind: kind, expression: expression))
    }

    private mutating func collect(_ node: Expression, isTop: Bool, rebuild: (Expression) -> Expression) {
        guard versions.count < Self.maximumVersions else { return }
        switch node {
        case .sum(let terms):
            if !isTop { slipTerms(terms, rebuild) }
            misorder(terms, rebuild)
        case .product(let factors): slipProduct(factors, rebuild)
        case .negative(.sum(let terms)): slipNegatedSum(terms, rebuild)
        case .negative(.product(let factors)): slipNegatedProduct(factors, rebuild)
        case .quotient(let top, let bottom): slipQuotient(top, bottom, rebuild)
        case .power(let base, let exponent): slipPower(base, exponent, rebuild)
        case .letter, .negative, .number, .percent: break
        }
        for (index, child) in node.children.enumerated() {
            collect(child, isTop: false) { rebuild(node.replacingChild(index, with: $0)) }
        }
    }

    private mutating func slipTerms(_ terms: [Expression], _ rebuild: (Expression) -> Expression) {
        for index in terms.indices {
            var turned = terms
            turned[index] = Self.opposite(terms[index])
            add(.sign, rebuild(.sum(turned)))
            var shorter = terms
            shorter.remove(at: index)
            add(.droppedTerm, rebuild(shorter.count == 1 ? shorter[0] : .sum(shorter)))
        }
    }

    /// `2 + 3 * 4` worked from the left.
    private mutating func misorder(_ terms: [Expression], _ rebuild: (Expression) -> Expression) {
        for index in terms.indices.dropFirst() {
            guard case .product(let factors) = Self.magnitude(terms[index]), let first = factors.first else { continue }
            let head = terms[..<index] + [Self.isNegative(terms[index]) ? .negative(first) : first]
            let joined = Expression.product([.sum(Array(head))] + factors.dropFirst())
            let rest = terms[(index + 1)...]
            add(.wrongOperation, rebuild(rest.isEmpty ? joined : .sum([joined] + rest)))
        }
    }

    private mutating func slipProduct(_ factors: [Expression], _ rebuild: (Expression) -> Expression) {
        for (index, factor) in factors.enumerated() {
            guard case .sum(let terms) = factor else { continue }
            var rest = factors
            rest.remove(at: index)
            distribute(terms, { .product(rest + [$0]) }, rebuild)
        }
        if factors.count == 2, case .sum(let a) = factors[0], case .sum(let b) = factors[1], a.count == b.count {
            add(.distribution, rebuild(.sum(zip(a, b).map { .product([$0, $1]) })))
        }
        if factors.count == 2 {
            add(.wrongOperation, rebuild(.sum(factors)))
            add(.wrongOperation, rebuild(.quotient(factors[0], factors[1])))
            add(.sign, rebuild(.negative(.product(factors))))
        }
    }

    /// `-2(x - 3)`: the minus belongs to the factor.
    private mutating func slipNegatedProduct(_ factors: [Expression], _ rebuild: (Expression) -> Expression) {
        for (index, factor) in factors.enumerated() {
            guard case .sum(let terms) = factor else { continue }
            var rest = factors
            rest.remove(at: index)
            distribute(terms, { .negative(.product(rest + [$0])) }, rebuild)
        }
    }

    private mutating func distribute(
        _ terms: [Expression], _ apply: (Expression) -> Expression, _ rebuild: (Expression) -> Expression
    ) {
        for index in terms.indices {
            let only = terms.enumerated().map { $0.offset == index ? apply($0.element) : $0.element }
            add(.distribution, rebuild(.sum(only)))
            let allBut = terms.enumerated().map { $0.offset == index ? $0.element : apply($0.element) }
            add(.distribution, rebuild(.sum(allBut)))
            let turned = terms.enumerated().map { apply($0.offset == index ? Self.opposite($0.element) : $0.element) }
            add(.sign, rebuild(.sum(turned)))
            var shorter = terms
            shorter.remove(at: index)
            add(.droppedTerm, rebuild(apply(shorter.count == 1 ? shorter[0] : .sum(shorter))))
        }
    }

    /// `-(a - b)` becomes `-a - b`.
    private mutating func slipNegatedSum(_ terms: [Expression], _ rebuild: (Expression) -> Expression) {
        for index in terms.indices {
            let kept = terms.enumerated().map { $0.offset == index ? $0.element : Self.opposite($0.element) }
            add(.sign, rebuild(.sum(kept)))
            let turned = terms.enumerated().map { $0.offset == index ? Self.opposite($0.element) : $0.element }
            add(.sign, rebuild(.sum(turned)))
        }
    }

    private mutating func slipQuotient(
        _ top: Expression, _ bottom: Expression, _ rebuild: (Expression) -> Expression
    ) {
        if case .sum(let terms) = top { distribute(terms, { .quotient($0, bottom) }, rebuild) }
        add(.wrongOperation, rebuild(.quotient(bottom, top)))
        add(.wrongOperation, rebuild(.product([top, bottom])))
        add(.wrongOperation, rebuild(.sum([top, .negative(bottom)])))
    }

    private mutating func slipPower(_ base: Expression, _ exponent: Int, _ rebuild: (Expression) -> Expression) {
        if case .sum(let terms) = base {
            add(.distribution, rebuild(.sum(terms.map { .power($0, exponent) })))
            if exponent == 2, terms.count == 2 {
                let squares = terms.map { Expression.power($0, 2) }
                add(.distribution, rebuild(.sum([squares[0], .product(terms), squares[1]])))
                let twice = Expression.product([.whole(2)] + terms)
                add(.sign, rebuild(.sum([squares[0], .negative(twice), squares[1]])))
                add(.sign, rebuild(.sum([squares[0], twice, .negative(squares[1])])))
            }
        }
        add(.wrongOperation, rebuild(.product([base, .whole(exponent)])))
    }

    static func opposite(_ term: Expression) -> Expression {
        if case .negative(let inner) = term { return inner }
        return .negative(term)
    }

    private static func magnitude(_ term: Expression) -> Expression {
        if case .negative(let inner) = term { return inner }
        return term
    }

    private static func isNegative(_ term: Expression) -> Bool {
        if case .negative = term { return true }
        return false
    }
}
