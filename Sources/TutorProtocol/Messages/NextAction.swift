// NextAction: a step for the student.
// Spec: docs/protocol.md §5

/// `next_action`: a step for the student.
public struct NextAction: Sendable, Hashable {
    /// What to do.
    public enum Verb: String, Sendable, Hashable, CaseIterable {
        case read
        case scroll
        case select
        case tap
        case type
        case wait
    }

    /// The turn.
    public var turn: TurnID
    /// Unicode scalars of the turn's text before it.
    public var at: Int
    /// From 1 within the turn.
    public var step: Int
    /// What to do.
    public var verb: Verb
    /// The element.
    public var element: ElementID
    /// Its newest box, normalised.
    public var box: Box
    /// The revision the box is of.
    public var revision: Int64
    /// What to type or choose, if anything.
    public var text: String?

    /// Makes an event.
    public init(
        turn: TurnID, at: Int, step: Int, verb: Verb, element: ElementID, box: Box, revision: Int64,
        text: String? = nil
    ) {
        self.turn = turn
        self.at = at
        self.step = step
        self.verb = verb
        self.element = element
        self.box = box
        self.revision = revision
        self.text = text
    }
}
