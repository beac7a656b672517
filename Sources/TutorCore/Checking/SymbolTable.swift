// SymbolTable: the signs, commands and letters that the tokenizer knows.
// Spec: docs/builtin.md (what it can judge)

/// The signs, commands and letters that the tokenizer knows.
enum SymbolTable {
    /// Full-width forms become ASCII, so that one table serves both.
    static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x3000, 0x00A0, 0x2002...0x200A, 0x202F: " "
        default: scalar
        }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" || scalar == "&"
    }

    /// Currency and mathematics delimiters carry no value here; zero-width characters are nothing.
    static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "$", "€", "£", "¥", "`": true
        case "\u{200B}"..."\u{200F}", "\u{2060}"..."\u{2064}", "\u{FEFF}", "\u{FE0F}": true
        default: false
        }
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

    static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
        (scalar >= "a" && scalar <= "z") || (scalar >= "A" && scalar <= "Z")
    }

    static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x3040...0x30FF, 0xAC00...0xD7A3: true
        default: false
        }
    }

    /// Latin, Greek small letters that name unknowns, and ideographs.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x03C0: false  // π is a number that has no exact value here
        case 0x03B1...0x03C9: true
        case 0x1D434...0x1D467: false
        default: isLatin(scalar) || isIdeograph(scalar)
        }
    }

    static func superscript(_ scalar: Unicode.Scalar) -> Int? {
        switch scalar.value {
        case 0x00B9: 1
        case 0x00B2: 2
        case 0x00B3: 3
        case 0x2070: 0
        case 0x2074...0x2079: Int(scalar.value - 0x2070)
        default: nil
        }
    }

    static func vulgarFraction(_ scalar: Unicode.Scalar) -> Rational? {
        let parts: (Int, Int)
        switch scalar {
        case "½": parts = (1, 2)
        case "⅓": parts = (1, 3)
        case "⅔": parts = (2, 3)
        case "¼": parts = (1, 4)
        case "¾": parts = (3, 4)
        case "⅕": parts = (1, 5)
        case "⅖": parts = (2, 5)
        case "⅗": parts = (3, 5)
        case "⅘": parts = (4, 5)
        case "⅙": parts = (1, 6)
        case "⅚": parts = (5, 6)
        case "⅛": parts = (1, 8)
        case "⅜": parts = (3, 8)
        case "⅝": parts = (5, 8)
        case "⅞": parts = (7, 8)
        default: return nil
        }
        return try? Rational(parts.0, over: parts.1)
    }

    /// A sign of one to three characters.
    static func sign(
        _ first: Unicode.Scalar, _ second: Unicode.Scalar?, _ third: Unicode.Scalar?
    ) -> (MathToken.Kind, Int)? {
        switch first {
        case "+": (.plus, 1)
        case "±": (.plusMinus, 1)
        case "-" where second == ">": (.arrow, 2)
        case "-", "\u{2212}", "\u{2013}", "\u{FE63}": (.minus, 1)
        case "*" where second == "*": (.caret, 2)
        case "*", "×", "✕", "✖", "·", "⋅", "∙", "•", "\u{2217}": (.times, 1)
        case "÷": (.divide, 1)
        case "/", "\u{2215}", "\u{2044}": (.slash, 1)
        case "^": (.caret, 1)
        case "=" where second == ">": (.arrow, 2)
        case "=" where second == "=" && third == ">": (.arrow, 3)
        case "=" where second == "=": (.equals, 2)
        case "=": (.equals, 1)
        case "!" where second == "=": (.relation, 2)
        case "<", ">": (.relation, second == "=" ? 2 : 1)
        case "≠", "≤", "≥", "≈", "≡", "~", "∼", "≅": (.relation, 1)
        case "⇒", "→", "∴", "⟹", "⟶", "⇔", "↔", "➜", "➔": (.arrow, 1)
        case "(", "[", "{", "【", "〔": (.open, 1)
        case ")", "]", "}", "】", "〕": (.close, 1)
        case "%": (.percent, 1)
        case ":": (.colon, 1)
        case ",", "、": (.comma, 1)
        case ";": (.semicolon, 1)
        case ".", "。": second == "." ? nil : (.stop, 1)
        case "!": (.stop, 1)
        default: nil
        }
    }

    static func command(_ name: String) -> MathToken.Kind? {
        switch name {
        case "frac", "dfrac", "tfrac", "cfrac": .fraction
        case "times", "cdot", "ast": .times
        case "div": .divide
        case "pm": .plusMinus
        case "Rightarrow", "implies", "to", "therefore", "rightarrow", "Longrightarrow", "iff": .arrow
        case "lbrace", "lbrack": .open
        case "rbrace", "rbrack": .close
        case "lt", "gt", "le", "ge", "leq", "geq", "ne", "neq", "approx": .relation
        default: nil
        }
    }

    /// Commands that only lay out.
    static let silentCommands: Set<String> = [
        "left", "right", "quad", "qquad", "displaystyle", "textstyle", "mathrm", "mathbf", "bigl", "bigr", "big", "Big",
        "begin", "end",
    ]

    /// Whether a run of letters is a product of unknowns (`xy`, `abc`) and not a word.
    static func isProductOfLetters(_ run: [Unicode.Scalar]) -> Bool {
        guard run.count <= 3, Set(run).count == run.count else { return false }
        let families: [ClosedRange<Unicode.Scalar>] = ["a"..."c", "p"..."r", "x"..."z"]
        return families.contains { family in run.allSatisfy(family.contains) }
    }
}
