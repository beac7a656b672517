// PromptText: makes the words of a screen or a student safe to stand in a prompt.
// Spec: docs/architecture.md (what the model sees)

internal import ScreenCore

/// Makes the words of a screen or a student safe to stand in a prompt.
///
/// Such text is data. What one cannot see is dropped (control, zero-width and bidirectional characters, tags), and what
/// could end the fence, open a turn of another role or read as a reference is pulled apart so that it stays readable
/// but means nothing. Done before every use; doing it twice changes nothing more.
public struct PromptText: Sendable {
    /// The one-time word of this prompt's fence; never left standing in a text.
    ///
    /// Empty for none.
    private let nonce: String

    /// Makes a cleaner.
    public init(nonce: String = "") {
        self.nonce = nonce
    }

    /// A text of several lines.
    ///
    /// Line ends become `\n`.
    public func block(_ text: String) -> String {
        let visible = Self.visible(text)
        var result = String.UnicodeScalarView()
        for (index, line) in visible.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { result.append("\n") }
            Self.append(line, to: &result)
        }
        return withoutNonce(String(result))
    }

    /// A text as one line: white space becomes single spaces, and what is longer is cut between characters.
    public func line(_ text: String, maximumBytes: Int) -> String {
        var flat = String.UnicodeScalarView()
        for scalar in Self.visible(text) {
            if scalar.properties.isWhitespace {
                if !flat.isEmpty, flat.last != " " { flat.append(" ") }
            } else {
                flat.append(scalar)
            }
        }
        if flat.last == " " { flat.removeLast() }
        var result = String.UnicodeScalarView()
        Self.append(flat[...], to: &result)
        return withoutNonce(TextCut.cut(String(result), toBytes: maximumBytes))
    }

    private func withoutNonce(_ text: String) -> String {
        nonce.isEmpty ? text : text.replacing(nonce, with: "…")
    }

    // MARK: - What is seen

    private static func visible(_ text: String) -> String.UnicodeScalarView {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar.value {
            case 0x0A where previous == "\r":
                break
            case 0x0A, 0x0D, 0x85, 0x2028, 0x2029:
                result.append("\n")
            case 0x09:
                result.append(scalar)
            default:
                if !scalar.isInvisible { result.append(scalar) }
            }
        }
        return result
    }

    // MARK: - What means something

    private static func append(_ line: Substring.UnicodeScalarView, to result: inout String.UnicodeScalarView) {
        let closesFence = String(line).lowercased().hasPrefix(PromptFence.word)
        var previous: Unicode.Scalar = " "
        var run = 0
        let role = roleNameRange(in: line)
        var index = line.startIndex
        while index < line.endIndex {
            let scalar = line[index]
            let shape = scalar.tagShape
            if index == role?.lowerBound { result.append("(") }
            if index == role?.upperBound { result.append(")") }
            run = shape == previous ? run + 1 : 1
            if splits(shape, after: previous, run: run, closesFence: closesFence) { result.append(" ") }
            result.append(scalar)
            previous = shape
            if shape == "<" || shape == "[", isSpecialToken(line[index...]) {
                // A space inside the mark takes its meaning away.
                result.append(" ")
                previous = " "
            }
            index = line.index(after: index)
        }
    }

    /// Whether the scalar must not touch the one before it.
    private static func splits(
        _ shape: Unicode.Scalar, after previous: Unicode.Scalar, run: Int, closesFence: Bool
    ) -> Bool {
        switch shape {
        case "[": previous == "["
        case "|": previous == "<"
        case "<": run >= 2
        case ">": run >= 2 && closesFence
        default: false
        }
    }

    private static func isSpecialToken(_ text: Substring.UnicodeScalarView) -> Bool {
        let start = String(text.prefix(longestToken)).lowercased()
        return specialTokens.contains { start.hasPrefix($0) }
    }

    /// The name of a role at the start of a line, when a colon or a bracket follows it as in a forged turn.
    private static func roleNameRange(in line: Substring.UnicodeScalarView) -> Range<String.Index>? {
        guard let start = line.firstIndex(where: { !isRoleOrnament($0) }) else { return nil }
        let rest = line[start...]
        let lowered = String(rest.prefix(longestRole)).lowercased()
        guard let name = roleNames.first(where: { lowered.hasPrefix($0) }) else { return nil }
        let end = rest.index(start, offsetBy: name.unicodeScalars.count)
        let next = rest[end...].first { !isRoleOrnament($0) }
        return next?.tagShape == ":" || next == "]" ? start..<end : nil
    }

    private static func isRoleOrnament(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || ["#", "*", ">", "[", "_", "-", "`", "\u{3010}"].contains(scalar)
    }

    private static let roleNames = [
        "system", "assistant", "user", "developer", "tool", "human", "tutor", "the student asks",
        "earlier turns, oldest first", "hint level in force", "系统", "系統", "助手", "用户", "用戶", "开发者",
    ]
    private static let longestRole = 30
    private static let specialTokens = [
        "[inst]", "[/inst]", "<s>", "</s>", "<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "<sys>", "</sys>",
        "<tool_call>", "<tool_response>", "<think>", "</think>",
    ]
    private static let longestToken = 20
}
