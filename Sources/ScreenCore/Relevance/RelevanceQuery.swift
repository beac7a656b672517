// RelevanceQuery: what the elements of a screen are judged by.
// Spec: docs/relevance.md

public import TutorProtocol

/// What the elements of a screen are judged by: the question, and what the student was doing.
public struct RelevanceQuery: Sendable, Hashable {
    /// What the student asks; may be empty.
    public var question: String
    /// Where the student's attention is, normalised; nil falls back to the screen's own focus.
    public var focus: Focus?
    /// What changed since the last turn (see ``ScreenState/changes(since:)``).
    public var changed: Set<ElementSerial>
    /// The element that the student operated last.
    public var lastTouched: ElementSerial?

    /// Makes a query; all but the question may be left out.
    public init(
        question: String, focus: Focus? = nil, changed: Set<ElementSerial> = [], lastTouched: ElementSerial? = nil
    ) {
        self.question = question
        self.focus = focus
        self.changed = changed
        self.lastTouched = lastTouched
    }
}
