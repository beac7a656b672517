// Highlight: a ring on an element.
// Spec: docs/protocol.md §5

/// `highlight`: a ring on an element.
public struct Highlight: Sendable, Hashable {
    /// How to draw it.
    public enum Shape: String, Sendable, Hashable, CaseIterable {
        case arrow
        case box
        case underline
    }

    /// The turn.
    public var turn: TurnID
    /// Unicode scalars of the turn's text before it.
    public var at: Int
    /// The element.
    public var element: ElementID
    /// Its newest box, normalised.
    public var box: Box
    /// The revision the box is of.
    public var revision: Int64
    /// How to draw it (wire: `kind`).
    public var shape: Shape
    /// A word or two, if any.
    public var label: String?
    /// How long it lives at most, in milliseconds.
    public var ttlMilliseconds: Int

    /// Makes an event.
    public init(
        turn: TurnID, at: Int, element: ElementID, box: Box, revision: Int64, shape: Shape = .box,
        label: String? = nil, ttlMilliseconds: Int
    ) {
        self.turn = turn
        self.at = at
        self.element = element
        self.box = box
        self.revision = revision
        self.shape = shape
        self.label = label
        self.ttlMilliseconds = ttlMilliseconds
    }
}
