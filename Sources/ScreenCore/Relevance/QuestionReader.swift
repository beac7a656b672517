// QuestionReader: what a question asks for, by its words.
// Spec: docs/relevance.md (question)

/// What a question asks for, by its words: the terms to look for, the shape of the answer, and what kind of question
/// it is.
struct QuestionReader {
    /// One term of the question.
    struct Asked {
        let text: String
        let term: Term
        /// Whether it stood in quotation marks: a name from the screen.
        let isQuoted: Bool
    }

    /// What kind of question it is.
    ///
    /// A question may be several.
    struct Intent: OptionSet {
        let rawValue: UInt8
        /// Wants a thing to operate: where is, how do I, tap.
        static let action = Self(rawValue: 1 << 0)
        /// Wants all of something: which options, list.
        static let enumeration = Self(rawValue: 1 << 1)
        /// Wants to know how many.
        static let count = Self(rawValue: 1 << 2)
        /// Wants the most, the least, the sum.
        static let comparison = Self(rawValue: 1 << 3)
        /// Wants what is chosen or ticked.
        static let choice = Self(rawValue: 1 << 4)
        /// Wants the name of the page or the program.
        static let title = Self(rawValue: 1 << 5)
        /// Wants to know what is wrong.
        static let trouble = Self(rawValue: 1 << 6)
    }

    /// Longest question that is read, in scalars; what comes after adds little.
    static let examined = 2_000

    /// The terms to look for, each once.
    private(set) var asked: [Asked] = []
    /// The shapes an answer would have.
    private(set) var shapes: TextShape = []
    /// What kind of question it is.
    private(set) var intents: Intent = []
    /// The icons it may mean.
    private(set) var icons: [IconName] = []
    /// Where each term is in ``asked``.
    private(set) var places: [Term: Int] = [:]

    init(_ question: String) {
        let scalars = question.unicodeScalars.prefix(Self.examined)
        let text = String(String.UnicodeScalarView(scalars))
        let small = PhraseSearch(text)
        let words = Set(TermReader.terms(in: text))
        readTerms(text)
        for cue in QuestionCues.all where cue.fits(words: words, text: small) {
            shapes.formUnion(cue.shapes)
            intents.formUnion(cue.intents)
        }
        for icon in IconName.all where icon.isNamed(by: words, in: small) { icons.append(icon) }
    }

    private mutating func readTerms(_ text: String) {
        var isQuoted = false
        var piece = ""
        for character in text + " " {
            if let mark = QuestionCues.quotationMarks[character] {
                readPiece(piece, isQuoted: isQuoted)
                piece = ""
                switch mark {
                case .closes: isQuoted = false
                case .opens: isQuoted = true
                case .toggles: isQuoted.toggle()
                }
            } else {
                piece.append(character)
            }
        }
        readPiece(piece, isQuoted: isQuoted)
    }

    private mutating func readPiece(_ piece: String, isQuoted: Bool) {
        for word in Self.words(in: piece) {
            let scalars = Array(word.unicodeScalars)
            var characters = 0
            for term in TermReader.terms(in: word) {
                if term.form == .character { characters += 1 }
                guard places[term] == nil, isQuoted || !QuestionCues.isStopTerm(term) else { continue }
                let text =
                    switch term.form {
                    case .word: word.lowercased()
                    case .character: String(Character(scalars[characters - 1]))
                    case .pair: String(String.UnicodeScalarView(scalars[(characters - 2)..<characters]))
                    }
                places[term] = asked.count
                asked.append(Asked(text: text, term: term, isQuoted: isQuoted))
            }
        }
    }

    /// Latin words apart, runs of CJK characters together so that their pairs are found.
    private static func words(in text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        var isIdeographic = false
        for scalar in text.unicodeScalars {
            let characterClass = CharacterClass(CharacterClass.folded(scalar))
            let belongs: Bool
            switch characterClass {
            case .letter, .digit, .apostrophe: belongs = true
            case .ideograph: belongs = true
            case .other: belongs = scalar == "." && !word.isEmpty
            }
            if !belongs || (isIdeographic != (characterClass == .ideograph)) {
                if !word.isEmpty { words.append(String(word)) }
                word = String.UnicodeScalarView()
            }
            isIdeographic = characterClass == .ideograph
            if belongs { word.append(scalar) }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }
}
