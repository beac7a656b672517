// Expression+Text: an expression back in writing.
// Spec: docs/builtin.md (hint levels)

extension Expression {
    /// The expression in plain writing, with the brackets that it needs.
    public var text: String {
        switch self {
        case .number(let value, let places): Self.number(value, places: places)
        case .letter(let letter): String(Character(letter))
        case .sum(let terms): Self.sum(terms)
        case .negative(let inner): "-" + inner.bracketed(unless: { $0.isFactor })
        case .product(let factors): Self.product(factors)
        case .quotient(let top, let bottom):
            top.bracketed(unless: { $0.isFactor }) + "/" + bottom.bracketed(unless: { $0.isAtom })
        case .power(let base, let exponent): base.bracketed(unless: { $0.isAtom }) + "^\(exponent)"
        case .percent(let inner): inner.bracketed(unless: { $0.isAtom }) + "%"
        }
    }

    private static func number(_ value: Rational, places: Int) -> String {
        guard places > 0, let shifted = try? value.multiplied(by: Rational(10).raised(to: places)), shifted.isWhole
        else {
            return value.isWhole ? "\(value)" : "(\(value))"
        }
        var digits = String(shifted.magnitude.numerator)
        while digits.count <= places { digits = "0" + digits }
        return (value.isNegative ? "-" : "") + digits.dropLast(places) + "." + digits.suffix(places)
    }

    private static func sum(_ terms: [Expression]) -> String {
        var text = terms.first?.text ?? "0"
        for term in terms.dropFirst() {
            if case .negative(let inner) = term {
                text += " - " + inner.bracketed(unless: { $0.isFactor })
            } else {
                text += " + " + term.bracketed(unless: { $0.isFactor })
            }
        }
        return text
    }

    private static func product(_ factors: [Expression]) -> String {
        var text = ""
        for (index, factor) in factors.enumerated() {
            let written = factor.bracketed(unless: { $0.isAtom })
            let joinsNumbers = text.last?.isNumber == true && written.first?.isNumber == true
            if index > 0, joinsNumbers { text += " * " }
            text += written
        }
        return text
    }

    private var isAtom: Bool {
        switch self {
        case .letter, .number, .percent, .power: true
        case .negative, .product, .quotient, .sum: false
        }
    }

    private var isFactor: Bool {
        switch self {
        case .negative, .sum: false
        case .letter, .number, .percent, .power, .product, .quotient: true
        }
    }

    private func bracketed(unless condition: (Expression) -> Bool) -> String {
        condition(self) ? text : "(\(text))"
    }
}
