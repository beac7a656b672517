// PromptBuilder: writes the prompt of a turn.
// Spec: docs/architecture.md (what the model sees)

public import ScreenCore

/// What the prompt of a turn is made of.
public struct PromptInput: Sendable, Hashable {
    /// The rows of the screen with their header; nil or empty without a screen.
    public var rows: String?
    /// What changed since the last turn, in one line; nil or empty for nothing.
    public var changes: String?
    /// What the student asks.
    public var question: String
    /// The language of the answer, a BCP 47 tag.
    public var language: String
    /// The granted hint level, 0 to 4.
    public var hintLevel: Int
    /// Lines about earlier turns, oldest first.
    public var summaries: [String]
    /// A word that nobody can guess and that no other prompt has; letters and digits.
    public var nonce: String
    /// What a repair wants instead of an answer (``PromptBuilder/repairNote(answer:)``); nil for a first call.
    public var repairNote: String?

    /// Makes an input.
    public init(
        rows: String?, changes: String? = nil, question: String, language: String, hintLevel: Int,
        summaries: [String], nonce: String, repairNote: String? = nil
    ) {
        self.rows = rows
        self.changes = changes
        self.question = question
        self.language = language
        self.hintLevel = hintLevel
        self.summaries = summaries
        self.nonce = nonce
        self.repairNote = repairNote
    }
}

/// Writes the prompt of a turn.
///
/// Order: rules and output syntax, hint level | earlier turns, screen, changes, what a repair wants, language,
/// question. Everything up to the earlier turns has the same bytes from turn to turn while those only grow; nothing
/// that is new each time (the fence's code, the screen) stands before them. Two messages, one of the system and one of
/// the user: some models' templates refuse more.
public struct PromptBuilder: Sendable {
    private let estimator: TokenEstimator

    /// Makes a builder.
    ///
    /// - Parameter estimator: What counts tokens. Default: the uncalibrated one.
    public init(estimator: TokenEstimator = TokenEstimator()) {
        self.estimator = estimator
    }

    /// The prompt.
    ///
    /// Texts of the screen and of the student are made harmless on the way (``PromptText``).
    public func build(_ input: PromptInput) -> [ModelMessage] {
        let words = PromptText(nonce: input.nonce)
        return [
            ModelMessage(role: .system, text: PromptRules.text + "\n\n" + PromptRules.level(input.hintLevel)),
            ModelMessage(
                role: .user,
                text: Self.earlierTurns(input.summaries, words) + Self.screen(input, words) + Self.task(input, words)),
        ]
    }

    /// The estimate for a whole prompt, in tokens.
    public func tokens(of messages: [ModelMessage]) -> Int {
        messages.reduce(0) { $0 + estimator.tokens(in: $1.text) + Self.tokensPerMessage }
    }

    /// What a repair call wants: only the references again, since those of the answer were all dead.
    ///
    /// - Parameter answer: The answer as the student has it, without its tags.
    /// - Returns: The note for ``PromptInput/repairNote``.
    public static func repairNote(answer: String) -> String {
        let said = PromptText().line(answer, maximumBytes: maximumRepairBytes)
        return """
            You have answered this question already, but nothing that you pointed at is on the screen. The answer was: \
            "\(said)"
            Write only the tags for the elements that this answer is about, from the screen above, and no other word. \
            If none fits, write: [[sum: nothing fits]]
            """
    }

    // MARK: - Parts

    private static func earlierTurns(_ summaries: [String], _ words: PromptText) -> String {
        let lines = summaries.map { words.line($0, maximumBytes: SummaryWindow.maximumBytes) }.filter { !$0.isEmpty }
        if lines.isEmpty { return "" }
        return PromptRules.earlierTurns + "\n" + lines.map { "- \($0)\n" }.joined()
    }

    private static func screen(_ input: PromptInput, _ words: PromptText) -> String {
        let rows = words.block(input.rows ?? "").trimmedSpaces
        var text = "\n" + PromptFence.opening(input.nonce) + "\n"
        text += rows.isEmpty ? "(not known: answer without pointing)\n" : rows + "\n"
        let changes = words.line(input.changes ?? "", maximumBytes: maximumChangesBytes)
        // The line quotes the screen, so it stays inside the fence.
        if !changes.isEmpty { text += "changed since the last turn: \(changes)\n" }
        return text + PromptFence.closing(input.nonce) + "\n"
    }

    private static func task(_ input: PromptInput, _ words: PromptText) -> String {
        var text = "\n"
        if let note = input.repairNote, !note.isEmpty { text += note + "\n\n" }
        text += "Answer in \(LanguageChoice.name(of: input.language)).\n"
        return text + "The student asks:\n" + words.block(input.question).trimmedSpaces
    }

    /// What templates put around a message, in tokens.
    private static let tokensPerMessage = 4
    /// Longest line about changes, in bytes.
    private static let maximumChangesBytes = 400
    /// How much of an answer a repair quotes, in bytes.
    private static let maximumRepairBytes = 2_000
}
