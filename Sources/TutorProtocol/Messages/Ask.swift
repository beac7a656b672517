// Ask: a question.
// Spec: docs/protocol.md §5

/// `ask`: a question.
///
/// Its message id is required and is the idempotency key.
public struct Ask: Sendable, Hashable {
    /// What happens when a turn is running.
    public enum WhenBusy: String, Sendable, Hashable, CaseIterable {
        case reject
        case supersede
    }

    /// The question; empty only together with ``of``.
    public var text: String
    /// The screen it is about; nil for the newest that the server has.
    public var revision: Int64?
    /// Where the student's attention is, for this question only.
    public var focus: Focus?
    /// The language of the answer, a BCP 47 tag.
    public var language: String?
    /// How much help is wanted, 0 to 4.
    ///
    /// Default 2.
    public var hintLevel: Int
    /// The turn whose next hint is wanted.
    public var of: TurnID?
    /// Default ``WhenBusy/supersede``.
    public var whenBusy: WhenBusy

    /// Makes a question; the defaults are the protocol's.
    public init(
        text: String, revision: Int64? = nil, focus: Focus? = nil, language: String? = nil, hintLevel: Int = 2,
        of: TurnID? = nil, whenBusy: WhenBusy = .supersede
    ) {
        self.text = text
        self.revision = revision
        self.focus = focus
        self.language = language
        self.hintLevel = hintLevel
        self.of = of
        self.whenBusy = whenBusy
    }
}
