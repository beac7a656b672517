// MathTokenizer: reads a line as people and pages write it into symbols.
// Spec: docs/builtin.md (what it can judge)

/// Reads a line as people and pages write it: ASCII, typographic and full-width signs, superscripts, simple LaTeX.
///
/// One pass, linear in the line. Throws only on a breached limit; what it does not know becomes a token of its own.
public struct MathTokenizer: Sendable {
    private let limits: CheckingLimits

    /// Makes a tokenizer.
    public init(limits: CheckingLimits = CheckingLimits()) { self.limits = limits }

    /// The symbols of a line.
    public func tokens(of line: String) throws(MathError) -> [MathToken] {
        guard line.utf8.count <= limits.lineBytes else { throw .tooComplex }
        var scanner = Scanner(line)
        while scanner.step() {
            guard scanner.tokens.count <= limits.lineTokens else { throw .tooComplex }
        }
        return MultiplicationSign.resolved(in: scanner.tokens)
    }
}

private struct Scanner {
    var tokens: [MathToken] = []
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var hasSpace = false

    init(_ line: String) {
        scalars = line.unicodeScalars.map(SymbolTable.folded)
    }

    private func scalar(at offset: Int) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func append(_ kind: MathToken.Kind, length: Int) {
        tokens.append(MathToken(kind, hasSpaceBefore: hasSpace))
        hasSpace = false
        index += length
    }

    /// Reads one symbol; false at the end.
    mutating func step() -> Bool {
        guard let first = scalar(at: 0) else { return false }
        if SymbolTable.isIgnored(first) {
            index += 1
        } else if SymbolTable.isSpace(first) {
            hasSpace = true
            index += 1
        } else if SymbolTable.isDigit(first) || (first == "." && scalar(at: 1).map(SymbolTable.isDigit) == true) {
            readNumber()
        } else if let exponent = SymbolTable.superscript(first) {
            readSuperscript(exponent)
        } else if let vulgar = SymbolTable.vulgarFraction(first) {
            readVulgar(vulgar)
        } else if first == "\\" {
            readCommand()
        } else if SymbolTable.isLetter(first) {
            readLetters()
        } else if let (kind, length) = SymbolTable.sign(first, scalar(at: 1), scalar(at: 2)) {
            append(kind, length: length)
        } else {
            append(.unknown, length: 1)
        }
        return true
    }

    private mutating func readNumber() {
        var digits = 0
        var value = 0
        var places = 0
        var length = 0
        var isExact = true
        func appendDigit(_ scalar: Unicode.Scalar) {
            let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = scaled.addingReportingOverflow(Int(scalar.value) - 48)
            if overflow || carry || digits >= 18 { isExact = false } else { value = sum }
            digits += 1
        }
        while let next = scalar(at: length) {
            if SymbolTable.isDigit(next) {
                appendDigit(next)
                length += 1
            } else if next == ",", isThousandsGroup(at: length + 1), length <= 3 || scalar(at: length - 4) == "," {
                length += 1
            } else {
                break
            }
        }
        if scalar(at: length) == ".", scalar(at: length + 1).map(SymbolTable.isDigit) == true {
            length += 1
            while let next = scalar(at: length), SymbolTable.isDigit(next) {
                appendDigit(next)
                places += 1
                length += 1
            }
        } else if scalar(at: length) == ",", scalar(at: length + 1).map(SymbolTable.isDigit) == true {
            // `1,5` is one number in half of the world and two in the other; `13,2000` is neither.
            isExact = false
            while let next = scalar(at: length), SymbolTable.isDigit(next) || next == "," { length += 1 }
        }
        var power = 1
        for _ in 0..<min(places, 18) { power *= 10 }
        if isExact, let number = try? Rational(value, over: power) {
            append(.number(number, places: places), length: length)
        } else {
            append(.unknown, length: length)
        }
    }

    private func isThousandsGroup(at offset: Int) -> Bool {
        for place in 0..<3 where scalar(at: offset + place).map(SymbolTable.isDigit) != true { return false }
        return scalar(at: offset + 3).map(SymbolTable.isDigit) != true
    }

    private mutating func readSuperscript(_ first: Int) {
        var value = first
        var length = 1
        while length < 3, let next = scalar(at: length).flatMap(SymbolTable.superscript) {
            value = value * 10 + next
            length += 1
        }
        append(.caret, length: 0)
        append(.number(Rational(value), places: 0), length: length)
    }

    private mutating func readVulgar(_ fraction: Rational) {
        // `3½` is three and a half.
        if !hasSpace, case .number(let whole, 0) = tokens.last?.kind, let mixed = try? whole.adding(fraction) {
            tokens[tokens.count - 1].kind = .number(mixed, places: 0)
            index += 1
        } else {
            append(.number(fraction, places: 0), length: 1)
        }
    }

    private mutating func readCommand() {
        var length = 1
        while let next = scalar(at: length), SymbolTable.isLatin(next) { length += 1 }
        if length == 1 {
            // `\,` and its like are space; `\\` ends a row; `\(` and `\[` open mathematics.
            if scalar(at: 1) == "\\" { append(.semicolon, length: 2) } else { skip(2) }
            return
        }
        var name = ""
        for offset in 1..<length {
            if let next = scalar(at: offset) { name.unicodeScalars.append(next) }
        }
        if let kind = SymbolTable.command(name) {
            append(kind, length: length)
        } else if SymbolTable.silentCommands.contains(name) {
            skip(length)
        } else {
            append(.unknown, length: length)
        }
    }

    private mutating func skip(_ length: Int) {
        index += length
        hasSpace = true
    }

    private mutating func readLetters() {
        guard let first = scalar(at: 0) else { return }
        var length = 1
        let isLatin = SymbolTable.isLatin(first)
        while let next = scalar(at: length),
            isLatin ? SymbolTable.isLatin(next) || next == "'" : SymbolTable.isIdeograph(next)
        {
            length += 1
        }
        if length == 1, !SymbolTable.isIdeograph(first) {
            append(.letter(first), length: 1)
            return
        }
        let run = (0..<length).compactMap { scalar(at: $0) }
        if SymbolTable.isProductOfLetters(run) {
            for letter in run { append(.letter(letter), length: 1) }
            return
        }
        var text = ""
        for letter in run { text.unicodeScalars.append(letter) }
        append(.word(isLatin ? text.lowercased() : text), length: length)
    }
}
