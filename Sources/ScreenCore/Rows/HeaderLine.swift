// HeaderLine: the first line of the rows, with what was left out.
// Spec: docs/screen.md (rows)

import TutorProtocol

/// The first line of the rows: size, title, and what was left out, by kind.
enum HeaderLine {
    /// Longest title, in characters.
    static let titleLength = 40
    /// Kinds that are named; the rest is one number.
    static let kindsNamed = 4

    /// The title as the line has it.
    static func title(of screen: ScreenState) -> String {
        RowText.clean(screen.title ?? "", maximumLength: titleLength)
    }

    static func text(of screen: ScreenState, sent: Int, leftOut: [String: Int]) -> String {
        var line = "screen"
        if let size = screen.size { line += " \(number(size.width))x\(number(size.height))" }
        let title = title(of: screen)
        if !title.isEmpty { line += " \"\(title)\"" }
        line += " (sent \(sent) of \(screen.elements.count)"
        let kinds = leftOut.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        if !kinds.isEmpty {
            var parts = kinds.prefix(kindsNamed).map { "\($0.value) \($0.key)" }
            let rest = kinds.dropFirst(kindsNamed).reduce(0) { $0 + $1.value }
            if rest > 0 { parts.append("\(rest) other") }
            line += "; left out: " + parts.joined(separator: ", ")
        }
        return line + ")"
    }

    private static func number(_ value: Double) -> String {
        guard let whole = Int(exactly: value.rounded()) else { return "\(value)" }
        return "\(whole)"
    }
}
