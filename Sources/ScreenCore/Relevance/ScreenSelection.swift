// ScreenSelection: which elements a model gets for a question, and why.
// Spec: docs/relevance.md, docs/screen.md (rows)

public import TutorProtocol

/// Which elements a model gets for a question, why, and the rows that it reads.
public struct ScreenSelection: Sendable, Hashable {
    /// Every showable element, best first.
    public var ranked: [RankedElement]
    /// The elements that were sent, by the alias that stands for them in the rows.
    public var sent: [Int: ElementSerial]
    /// The header line and, unless nothing was sent, the rows.
    ///
    /// Lines end with a line feed, but not the last.
    public var rows: String
    /// Estimated tokens of the screen's own text: the rows and the title.
    ///
    /// At most ``budget``.
    public var tokens: Int
    /// Elements on the screen.
    public var elementCount: Int
    /// How many elements were left out, by kind; hidden and secure ones under these names.
    public var leftOut: [String: Int]
    /// The budget in force for this question, in tokens: wider for questions that count or list.
    public var budget: Int

    /// Makes a selection.
    public init(
        ranked: [RankedElement], sent: [Int: ElementSerial], rows: String, tokens: Int, elementCount: Int,
        leftOut: [String: Int], budget: Int
    ) {
        self.ranked = ranked
        self.sent = sent
        self.rows = rows
        self.tokens = tokens
        self.elementCount = elementCount
        self.leftOut = leftOut
        self.budget = budget
    }
}

/// One element's place in the ranking.
public struct RankedElement: Sendable, Hashable {
    /// The server's identity of it.
    public var serial: ElementSerial
    /// The client's name for it.
    public var id: ElementID
    /// How well it fits; only comparable within one selection.
    public var score: Double
    /// Estimated tokens of its part of a row.
    public var tokens: Int
    /// Whether the rows have it.
    public var isSent: Bool
    /// What spoke for it, strongest first, such as `word:price`, `label-of`, `focus`.
    public var reasons: [String]

    /// Makes an entry.
    public init(
        serial: ElementSerial, id: ElementID, score: Double, tokens: Int, isSent: Bool, reasons: [String]
    ) {
        self.serial = serial
        self.id = id
        self.score = score
        self.tokens = tokens
        self.isSent = isSent
        self.reasons = reasons
    }
}
