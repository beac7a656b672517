// BuiltinAnswer: an answer under construction, with its inline tags.
// Spec: docs/architecture.md (inline tags)

public import TutorProtocol

/// An answer under construction, with its inline tags.
public struct BuiltinAnswer: Sendable, Hashable {
    private var sentences: [String] = []
    private var actions: [String] = []
    private var summary = ""

    /// Starts an empty answer.
    public init() {}

    /// Adds a sentence; `places` puts text, such as ``pointer(to:)``, where `{name}` stands.
    public mutating func say(_ sentence: String, _ places: [String: String] = [:]) {
        sentences.append(Self.filled(sentence, places))
    }

    /// Adds a next step.
    ///
    /// What to type is only for the highest hint level.
    public mutating func act(_ verb: NextAction.Verb, on alias: Int, typing text: String? = nil) {
        let argument = text.map { ":" + Self.withoutBrackets($0) } ?? ""
        actions.append("[[\(alias) \(verb.rawValue)\(argument)]]")
    }

    /// Sets the one line that later turns remember.
    public mutating func summarise(_ line: String, _ places: [String: String] = [:]) {
        summary = Self.withoutBrackets(Self.filled(line, places))
    }

    /// A tag that points at an element.
    public static func pointer(to alias: Int) -> String { "[[\(alias)]]" }

    /// Text of the screen as it may stand in an answer: short, one line, without anything that reads as markup.
    public static func quoted(_ text: String) -> String {
        var cleaned = ""
        var count = 0
        for character in text {
            guard count < maximumQuote else { return cleaned + "…" }
            switch character {
            case "`", "*", "_", "|", "<", ">", "\\", "#": continue
            case "$": cleaned.append("\u{FF04}")
            case "[": cleaned.append("(")
            case "]": cleaned.append(")")
            case _ where character.isNewline: cleaned.append(" ")
            default: cleaned.append(character)
            }
            count += 1
        }
        return cleaned.trimmedSpaces
    }

    /// A sentence of the screen as it may stand inside one of ours: ``quoted(_:)`` without the stop at its end.
    public static func quotedSentence(_ text: String) -> String {
        var sentence = quoted(text)
        while let last = sentence.last, last == "." || last == "。" || last == "．" { sentence.removeLast() }
        return sentence
    }

    /// Longest quotation, in characters.
    static let maximumQuote = 80
    /// Longest summary, in characters: well below what a `[[sum: …]]` tag may hold.
    static let maximumSummary = 120

    /// The whole answer.
    public var text: String {
        // Sentences of a language with spaces are joined by one; Chinese ends them with a full-width stop.
        var joined = ""
        for sentence in sentences {
            if let last = joined.last, last.isASCII || last == "…" { joined += " " }
            joined += sentence
        }
        let steps = actions.isEmpty ? "" : " " + actions.joined(separator: " ")
        return joined + steps + "\n[[sum: " + String(summary.prefix(Self.maximumSummary)) + "]]"
    }

    private static func filled(_ sentence: String, _ places: [String: String]) -> String {
        guard !places.isEmpty else { return sentence }
        var result = ""
        var rest = sentence[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            result += places[String(rest[rest.index(after: open)..<close])] ?? ""
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    private static func withoutBrackets(_ text: String) -> String {
        text.filter { $0 != "[" && $0 != "]" && !$0.isNewline }
    }
}
