// QuotedLabel: finds the element that an answer without tags names by its exact label.
// Spec: docs/architecture.md (what the model says)

public import ScreenCore
import TutorProtocol

/// Finds the element that an answer without tags names by its exact label.
public struct QuotedLabel: Sendable {
    /// Makes a finder.
    public init() {}

    /// The alias of the one sent element whose label the answer quotes, or nil when there is none or more than one.
    ///
    /// A quote is text in quotation marks, backticks or bold. A label counts when no other sent element has it, letter
    /// for letter. For answers to which the model gave no tag at all; call it when the answer is complete.
    ///
    /// - Parameters:
    ///   - answer: The text of the answer.
    ///   - sent: The aliases that this turn's model was shown.
    ///   - pinned: The screen that the turn is about.
    /// - Returns: The alias.
    public func derivedTarget(answer: String, sent: [Int: ElementSerial], pinned: ScreenState) -> Int? {
        let quotes = Self.quotes(in: answer)
        if quotes.isEmpty { return nil }
        var aliases: [String: Set<Int>] = [:]
        for (alias, serial) in sent {
            guard let element = pinned.element(serial: serial)?.element,
                element.states.isDisjoint(with: [.secure, .hidden])
            else { continue }
            for name in [element.content, element.label, element.placeholder] {
                let label = name?.trimmedSpaces ?? ""
                if !label.isEmpty { aliases[label, default: []].insert(alias) }
            }
        }
        var found: Set<Int> = []
        for quote in quotes {
            let named = aliases[quote] ?? aliases[Self.withoutEndMarks(quote)] ?? []
            if named.count == 1 { found.formUnion(named) }
        }
        return found.count == 1 ? found.first : nil
    }

    /// The quoted spans of a text, trimmed; at most ``maximumQuotes``, each within one line.
    private static func quotes(in text: String) -> [String] {
        var quotes: [String] = []
        var open: (mark: Mark, content: String.UnicodeScalarView)?
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            if scalar.isLineEnd || (open?.content.count ?? 0) > maximumLength { open = nil }
            guard var span = open else {
                open = marks.first { $0.opens(scalar, after: previous) }.map { ($0, String.UnicodeScalarView()) }
                continue
            }
            if scalar == span.mark.end {
                if span.mark.isDouble, previous != span.mark.end || span.content.last != span.mark.end {
                    span.content.append(scalar)
                    open = span
                    continue
                }
                if span.mark.isDouble {
                    span.content.removeLast()
                    // `a ** b **c**`: marks after a space end nothing, but they may begin something.
                    if span.content.last?.isInlineSpace ?? true {
                        open = (span.mark, String.UnicodeScalarView())
                        continue
                    }
                }
                let quote = String(span.content).trimmedSpaces
                if !quote.isEmpty { quotes.append(quote) }
                open = nil
                if quotes.count == maximumQuotes { break }
            } else {
                span.content.append(scalar)
                open = span
            }
        }
        return quotes
    }

    private static func withoutEndMarks(_ quote: String) -> String {
        var scalars = quote.unicodeScalars[...]
        while let last = scalars.last, endMarks.contains(last) { scalars.removeLast() }
        return String(scalars)
    }

    private struct Mark {
        let start: Unicode.Scalar
        let end: Unicode.Scalar
        var isDouble = false

        func opens(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar) -> Bool {
            scalar == start && (!isDouble || previous == start)
        }
    }

    private static let marks: [Mark] = [
        Mark(start: "\u{201C}", end: "\u{201D}"), Mark(start: "\"", end: "\""), Mark(start: "`", end: "`"),
        Mark(start: "\u{300C}", end: "\u{300D}"), Mark(start: "\u{300E}", end: "\u{300F}"),
        Mark(start: "\u{00AB}", end: "\u{00BB}"), Mark(start: "*", end: "*", isDouble: true),
    ]
    private static let endMarks: Set<Unicode.Scalar> = [
        ".", ",", ":", ";", "!", "?", "\u{3002}", "\u{FF0C}", "\u{FF1A}",
    ]
    /// Most quotes looked at.
    private static let maximumQuotes = 64
    /// Longest quote looked at, in scalars.
    private static let maximumLength = 200
}
