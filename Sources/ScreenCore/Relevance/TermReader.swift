// TermReader: reads a text as terms that can be compared.
// Spec: docs/relevance.md (words)

/// A word without its ending, a CJK character, or a pair of those, as a number.
///
/// Two words with one number would need a collision of 64 bits, and would cost no more than a wrong reason.
struct Term: Sendable, Hashable {
    /// What a term was made of; pairs say more than single characters.
    enum Form: UInt8, Sendable {
        case character
        case pair
        case word
    }

    let hash: UInt64
    let form: Form
}

/// Reads a text as terms: Latin words in small letters without the usual English endings, numbers as they are, CJK
/// characters and each pair of adjacent ones.
///
/// Full-width forms are read as plain ones.
struct TermReader {
    private var word: [UInt32] = []
    private var lastCharacter: UInt32 = 0
    /// Whether the last scalar was a point after a digit: 2.8.5 is one word if a digit follows.
    private var hasPoint = false
    private(set) var terms: [Term] = []

    /// The terms of a text in order, with repeats.
    static func terms(in text: String) -> [Term] {
        var reader = TermReader()
        reader.read(text)
        return reader.terms
    }

    /// The term of one word; nil if it is not one word.
    static func term(_ word: String) -> Term? {
        let terms = terms(in: word)
        return terms.count == 1 ? terms[0] : nil
    }

    private mutating func read(_ text: String) {
        for scalar in text.unicodeScalars {
            let value = CharacterClass.folded(scalar)
            switch CharacterClass(value) {
            case .letter, .digit:
                lastCharacter = 0
                takeWordScalar(value)
            case .ideograph:
                endWord()
                terms.append(Term(hash: Self.hash([value]), form: .character))
                if lastCharacter != 0 {
                    terms.append(Term(hash: Self.hash([lastCharacter, value]), form: .pair))
                }
                lastCharacter = value
            case .apostrophe:
                // "what's" and "can't" are read up to the mark; what follows carries no meaning here.
                lastCharacter = 0
                if !word.isEmpty { endWord() }
            case .other:
                lastCharacter = 0
                if value == Self.point, !hasPoint, let last = word.last, CharacterClass(last) == .digit {
                    hasPoint = true
                } else {
                    endWord()
                }
            }
        }
        endWord()
    }

    private mutating func takeWordScalar(_ value: UInt32) {
        if hasPoint {
            if CharacterClass(value) == .digit { word.append(Self.point) } else { endWord() }
            hasPoint = false
        }
        word.append(value)
    }

    private mutating func endWord() {
        hasPoint = false
        guard !word.isEmpty else { return }
        terms.append(Term(hash: Self.hash(WordEnding.stripped(word)), form: .word))
        word.removeAll(keepingCapacity: true)
    }

    private static let point: UInt32 = 0x2E

    /// FNV-1a over the scalars.
    private static func hash(_ scalars: [UInt32]) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for scalar in scalars {
            hash = (hash ^ UInt64(scalar)) &* 0x100_0000_01b3
        }
        return hash
    }
}
