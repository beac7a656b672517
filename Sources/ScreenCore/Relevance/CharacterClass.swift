// CharacterClass: what a scalar is for reading words and shapes.
// Spec: docs/relevance.md (words)

/// What a scalar is for reading words and shapes.
enum CharacterClass {
    case apostrophe
    case digit
    case ideograph
    case letter
    case other

    /// The class of a folded scalar.
    init(_ value: UInt32) {
        switch value {
        case 0x30...0x39: self = .digit
        case 0x41...0x5A, 0x61...0x7A: self = .letter
        case 0x27, 0x2019: self = .apostrophe
        case 0..<0xC0: self = .other
        case 0xD7, 0xF7: self = .other
        case 0xC0...0x1FFF: self = .letter
        case 0x2E80...0x2FDF, 0x3005...0x3007, 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7AF,
            0xF900...0xFAFF, 0x20000...0x3FFFF:
            self = .ideograph
        default: self = .other
        }
    }

    /// The scalar in small letters, full-width forms as plain ones.
    static func folded(_ scalar: Unicode.Scalar) -> UInt32 {
        let value = scalar.value
        switch value {
        case 0x41...0x5A: return value + 32
        case 0..<0xC0: return value
        case 0xFF21...0xFF3A: return value - 0xFEE0 + 32
        case 0xFF01...0xFF5E: return value - 0xFEE0
        case 0x3000: return 0x20
        case 0xC0...0x24F, 0x370...0x52F:
            let lower = scalar.properties.lowercaseMapping.unicodeScalars
            return lower.first?.value ?? value
        default: return value
        }
    }
}
