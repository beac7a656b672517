// WorkedExample: a similar exercise with other numbers, worked out.
// Spec: docs/builtin.md (hint levels)

/// A similar exercise with other numbers, worked out in lines.
///
/// Computed, and free of the numbers of the right answer.
struct WorkedExample: Sendable, Hashable {
    /// The lines, the exercise first.
    let steps: [String]

    /// The kinds of exercise that it can make.
    ///
    /// `a` times x, `b` more, `x` the solution.
    private enum Pattern {
        /// `4(x + 2) = 20`
        case bracket
        /// `2x + 3 + 4 = 15`
        case collect
        /// `5x + 10 = 35` divided term by term
        case divideTerms
        /// `4x = 20`
        case coefficient
        /// `2x + 5 = 13`
        case move
        /// `5 - (2 - 3)` and its like, numbers only
        case numbers
        /// `x^2 + 5x + 6 = 0`
        case roots

        func steps(a: Int, b: Int, x: Int) -> [String] {
            switch self {
            case .bracket:
                [
                    "\(a)(x + \(b)) = \(a * (x + b))", "\(a)x + \(a * b) = \(a * (x + b))", "\(a)x = \(a * x)",
                    "x = \(x)",
                ]
            case .collect:
                [
                    "\(a)x + \(b) + \(b + 1) = \(a * x + 2 * b + 1)", "\(a)x + \(2 * b + 1) = \(a * x + 2 * b + 1)",
                    "\(a)x = \(a * x)", "x = \(x)",
                ]
            case .divideTerms:
                ["\(a)x + \(a * b) = \(a * (x + b))", "x + \(b) = \(x + b)", "x = \(x)"]
            case .coefficient: ["\(a)x = \(a * x)", "x = \(a * x) / \(a)", "x = \(x)"]
            case .move: ["\(a)x + \(b) = \(a * x + b)", "\(a)x = \(a * x + b) - \(b)", "\(a)x = \(a * x)", "x = \(x)"]
            case .numbers:
                ["\(a * x) - (\(b) - \(x)) = \(a * x) - \(b) + \(x)", "\(a * x) - \(b) + \(x) = \(a * x - b + x)"]
            case .roots:
                ["x^2 + \(a + b)x + \(a * b) = 0", "(x + \(a))(x + \(b)) = 0", "x = -\(a), x = -\(b)"]
            }
        }
    }

    /// An example for a slip.
    init?(_ finding: DerivationFinding, avoiding values: [Rational]) {
        let pattern: Pattern
        if finding.basis == nil {
            pattern = .numbers
        } else {
            switch finding.kind {
            case .distribution, .other: pattern = .bracket
            case .droppedTerm: pattern = .collect
            case .divisionOfOneSide: pattern = .divideTerms
            case .arithmetic, .wrongOperation: pattern = .coefficient
            case .sign: pattern = .move
            }
        }
        self.init(pattern, avoiding: values)
    }

    /// An example for a step that is still to do.
    init?(_ next: NextStep, avoiding values: [Rational]) {
        switch next {
        case .collectTerms: self.init(.collect, avoiding: values)
        case .divide, .workOut: self.init(.coefficient, avoiding: values)
        case .expand: self.init(.bracket, avoiding: values)
        case NextStep.factor: self.init(.roots, avoiding: values)
        case .isolate: self.init(.move, avoiding: values)
        }
    }

    /// The first choice of small numbers that shows none of the right values.
    private init?(_ pattern: Pattern, avoiding values: [Rational]) {
        let secret = Set(values.flatMap { [$0.numerator.magnitude, $0.denominator.magnitude] }).subtracting([1])
        for x in 4...13 {
            for a in 2...9 {
                for b in 3...9 where b != a {
                    let steps = pattern.steps(a: a, b: b, x: x)
                    if steps.allSatisfy({ Self.numbers(in: $0).isDisjoint(with: secret) }) {
                        self.steps = steps
                        return
                    }
                }
            }
        }
        return nil
    }

    private static func numbers(in text: String) -> Set<UInt> {
        Set(text.split { !$0.isNumber }.compactMap { UInt($0) })
    }
}
