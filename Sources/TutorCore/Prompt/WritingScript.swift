// WritingScript: the script a text is written in, and what languages that may mean.
// Spec: docs/protocol.md §5 rule 12

/// The script a text is written in, as far as it tells languages apart.
enum WritingScript: Hashable, CaseIterable {
    case arabic
    case bengali
    case cyrillic
    case devanagari
    case greek
    case han
    case hangul
    case hebrew
    case kana
    case latin
    case tamil
    case thai

    /// The script of most words; nil for a text without words, such as a bare formula.
    ///
    /// Single Latin letters are variables, not words. In scripts without spaces two characters count as a word. A text
    /// with kana is Japanese however many Han characters it has.
    static func main(of text: String) -> Self? {
        var halves: [Self: Int] = [:]
        var latinRun = 0
        var lastScript: Self?
        for scalar in text.unicodeScalars {
            let script = Self(of: scalar)
            if script == .latin { latinRun += 1 } else { latinRun = 0 }
            switch script {
            case .latin: if latinRun == 2 { halves[.latin, default: 0] += 2 }
            case .han, .kana, .hangul, .thai: if let script { halves[script, default: 0] += 1 }
            case let script?: if script != lastScript { halves[script, default: 0] += 2 }
            case nil: break
            }
            lastScript = script
        }
        if let kana = halves[.kana] {
            halves[.kana] = kana + (halves[.han] ?? 0)
            halves[.han] = nil
        }
        // Of equals, the script that is not Latin: quoted labels and code are Latin in every language.
        return halves.max { ($0.value, $0.key == .latin ? 0 : 1) < ($1.value, $1.key == .latin ? 0 : 1) }?.key
    }

    /// Languages that are written in it; for Latin see ``usesLatin(_:)``.
    var languages: Set<String> {
        switch self {
        case .arabic: ["ar", "fa", "ur", "ps", "ug", "sd", "ckb"]
        case .bengali: ["bn", "as"]
        case .cyrillic: ["ru", "uk", "be", "bg", "mk", "sr", "kk", "ky", "tg", "mn"]
        case .devanagari: ["hi", "mr", "ne", "sa"]
        case .greek: ["el"]
        // A few Han characters from a Japanese client are Japanese without kana.
        case .han: ["zh", "yue", "ja"]
        case .hangul: ["ko"]
        case .hebrew: ["he", "yi"]
        case .kana: ["ja"]
        case .latin: []
        case .tamil: ["ta"]
        case .thai: ["th"]
        }
    }

    /// The language to assume for a text in it, when the client's is written otherwise.
    func language(of text: String) -> String {
        switch self {
        case .arabic:
            text.unicodeScalars.contains { "\u{067E}\u{0686}\u{0698}\u{06AF}".unicodeScalars.contains($0) }
                ? "fa" : "ar"
        case .bengali: "bn"
        case .cyrillic: text.unicodeScalars.contains { "іїєґІЇЄҐ".unicodeScalars.contains($0) } ? "uk" : "ru"
        case .devanagari: "hi"
        case .greek: "el"
        case .han: "zh"
        case .hangul: "ko"
        case .hebrew: "he"
        case .kana: "ja"
        case .latin: "en"
        case .tamil: "ta"
        case .thai: "th"
        }
    }

    /// Whether a language is written in Latin letters, as most are.
    static func usesLatin(_ language: String) -> Bool {
        !allCases.contains { $0.languages.contains(language) } && !otherScripts.contains(language)
    }

    private init?(of scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F, 0x1E00...0x1EFF: self = .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
        case 0x400...0x52F: self = .cyrillic
        case 0x590...0x5FF: self = .hebrew
        case 0x600...0x6FF, 0x750...0x77F, 0xFB50...0xFDFF, 0xFE70...0xFEFE: self = .arabic
        case 0x900...0x97F: self = .devanagari
        case 0x980...0x9FF: self = .bengali
        case 0xB80...0xBFF: self = .tamil
        case 0xE00...0xE7F: self = .thai
        case 0x3041...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D: self = .kana
        case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3: self = .hangul
        case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: self = .han
        default: return nil
        }
    }

    /// Languages with scripts that are not told apart here.
    private static let otherScripts: Set<String> = [
        "am", "gu", "hy", "ka", "km", "kn", "lo", "ml", "my", "or", "pa", "si", "te", "ti",
    ]
}
