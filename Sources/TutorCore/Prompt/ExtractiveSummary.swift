// ExtractiveSummary: one line about a turn whose model gave none.
// Spec: docs/architecture.md (what the model sees)

/// One line about a turn whose model gave none: the question, and the first sentence of the answer.
public struct ExtractiveSummary: Sendable {
    /// The line; empty when there is nothing to say.
    ///
    /// Cut between characters.
    ///
    /// - Parameters:
    ///   - question: What the student asked.
    ///   - answer: The answer without tags.
    /// - Returns: At most ``SummaryWindow/maximumBytes`` bytes.
    public static func line(question: String, answer: String) -> String {
        let words = PromptText()
        let asked = words.line(question, maximumBytes: questionBytes)
        let said = words.line(firstSentence(of: answer), maximumBytes: answerBytes)
        if asked.isEmpty || said.isEmpty { return asked + said }
        return asked + separator + said
    }

    /// The first sentence, without Markdown's marks.
    private static func firstSentence(of text: String) -> String {
        var sentence = String.UnicodeScalarView()
        var end: Unicode.Scalar?
        var count = 0
        for scalar in text.unicodeScalars {
            let isSpace = scalar.properties.isWhitespace
            if let end, isSpace || wideEnds.contains(end) { break }
            if scalar.isLineEnd, count >= minimumScalars { break }
            if sentence.count > maximumScalars { break }
            end = count >= minimumScalars && (ends.contains(scalar) || wideEnds.contains(scalar)) ? scalar : nil
            if Self.marks.contains(scalar) { continue }
            if !isSpace { count += 1 }
            sentence.append(scalar)
        }
        return String(sentence)
    }

    private static let separator = " → "
    private static let questionBytes = 90
    private static let answerBytes = 140
    /// A sentence shorter than this is a mere "Yes." and the next belongs to it.
    private static let minimumScalars = 6
    /// More than the bytes that are kept can hold.
    private static let maximumScalars = 200
    private static let ends: Set<Unicode.Scalar> = [".", "?", "!"]
    private static let wideEnds: Set<Unicode.Scalar> = ["\u{3002}", "\u{FF1F}", "\u{FF01}"]
    private static let marks: Set<Unicode.Scalar> = ["*", "`", "#"]
}
