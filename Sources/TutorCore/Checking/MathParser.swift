// MathParser: symbols to an expression.
// Spec: docs/builtin.md (what it can judge)

/// Reads symbols as one expression, by recursive descent with bounded depth.
///
/// What can be read in two ways throws.
struct MathParser {
    private let tokens: ArraySlice<MathToken>
    private let limits: CheckingLimits
    private var index: Int
    private var depth = 0

    private init(_ tokens: ArraySlice<MathToken>, limits: CheckingLimits) {
        self.tokens = tokens
        self.limits = limits
        index = tokens.startIndex
    }

    /// The expression that all the tokens make up.
    static func parse(_ tokens: ArraySlice<MathToken>, limits: CheckingLimits) throws(MathError) -> Expression {
        var parser = MathParser(tokens, limits: limits)
        let expression = try parser.sum()
        guard parser.index == tokens.endIndex else { throw .syntax }
        return expression
    }

    private var kind: MathToken.Kind? { index < tokens.endIndex ? tokens[index].kind : nil }
    private func kind(after offset: Int) -> MathToken.Kind? {
        index + offset < tokens.endIndex ? tokens[index + offset].kind : nil
    }

    private mutating func sum() throws(MathError) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.nesting else { throw .tooComplex }
        var terms = [try product()]
        while let sign = kind, sign == .plus || sign == .minus {
            index += 1
            let term = try product()
            terms.append(sign == .minus ? .negative(term) : term)
        }
        return terms.count == 1 ? terms[0] : .sum(terms)
    }

    private mutating func product() throws(MathError) -> Expression {
        // A leading sign belongs to the whole term: -2x is the opposite of 2x.
        if kind == .minus {
            index += 1
            // -3^2 is read as 9 by many pupils and as -9 by their books.
            if kind?.isNumber == true, kind(after: 1) == .caret { throw .ambiguous }
            return .negative(try signedProduct())
        }
        if kind == .plus { index += 1 }
        return try signedProduct()
    }

    private mutating func signedProduct() throws(MathError) -> Expression {
        var factors = [try factor()]
        var divided = false
        var slashed = false
        while let next = kind {
            if next == .times || next == .divide || next == .slash {
                // 25 / 1/3 means 25 / (1/3) to who wrote it.
                guard next != .slash || !slashed else { throw .ambiguous }
                slashed = next == .slash
                index += 1
                let right = try factor()
                if next == .times {
                    factors.append(right)
                } else {
                    let left = factors.count == 1 ? factors[0] : .product(factors)
                    factors = [.quotient(left, right)]
                    divided = true
                }
            } else if startsImplicitFactor(next) {
                // 1/2x and 6/2(1 + 2) are read in two ways.
                guard !divided else { throw .ambiguous }
                factors.append(try power())
            } else {
                break
            }
        }
        return factors.count == 1 ? factors[0] : .product(factors)
    }

    private func startsImplicitFactor(_ next: MathToken.Kind) -> Bool {
        switch next {
        case .fraction, .letter, .open: true
        default: false
        }
    }

    private mutating func factor() throws(MathError) -> Expression {
        depth += 1
        defer { depth -= 1 }
        guard depth <= limits.nesting else { throw .tooComplex }
        switch kind {
        case .minus:
            index += 1
            if kind?.isNumber == true, kind(after: 1) == .caret { throw .ambiguous }
            return .negative(try factor())
        case .plus:
            index += 1
            return try factor()
        default:
            return try power()
        }
    }

    private mutating func power() throws(MathError) -> Expression {
        var base = try primary()
        if kind == .caret {
            index += 1
            base = .power(base, try exponent())
            guard kind != .caret else { throw .ambiguous }
        }
        if kind == .percent {
            index += 1
            base = .percent(base)
        }
        return base
    }

    private mutating func exponent() throws(MathError) -> Int {
        let isBracketed = kind == .open
        if isBracketed { index += 1 }
        guard case .number(let value, 0) = kind, value.isWhole, value.numerator <= limits.exponent else {
            throw .syntax
        }
        index += 1
        if isBracketed {
            guard kind == .close else { throw .syntax }
            index += 1
        }
        return value.numerator
    }

    private mutating func primary() throws(MathError) -> Expression {
        switch kind {
        case .number(let value, let places):
            index += 1
            return try mixedNumber(value, places: places)
        case .letter(let letter):
            index += 1
            // f(x) is a function, not a product.
            if kind == .open, !tokens[index].hasSpaceBefore {
                let isFunctionName = letter == "f" || letter == "g" || letter == "h"
                if isFunctionName || (kind(after: 1)?.isNumber == true && kind(after: 2) == .close) { throw .ambiguous }
            }
            // x2 has lost its exponent on the way, or is an index.
            if kind?.isNumber == true { throw .ambiguous }
            return .letter(letter)
        case .open:
            index += 1
            let inner = try sum()
            guard kind == .close else { throw .syntax }
            index += 1
            return inner
        case .fraction:
            index += 1
            let top = try group()
            return .quotient(top, try group())
        default:
            throw .syntax
        }
    }

    private mutating func group() throws(MathError) -> Expression {
        guard kind == .open else { throw .syntax }
        return try primary()
    }

    /// `3 1/2` is three and a half; two numbers side by side are otherwise nothing.
    private mutating func mixedNumber(_ whole: Rational, places: Int) throws(MathError) -> Expression {
        guard kind?.isNumber == true else { return .number(whole, places: places) }
        guard places == 0, whole.isWhole, tokens[index].hasSpaceBefore, case .number(let top, 0) = kind,
            kind(after: 1) == .slash, case .number(let bottom, 0) = kind(after: 2), top.isWhole, bottom.isWhole,
            top.numerator < bottom.numerator
        else { throw .syntax }
        index += 3
        return .number(try whole.adding(top.divided(by: bottom)), places: 0)
    }
}
