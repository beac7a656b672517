// Focus: where the student's attention is.
// Spec: docs/protocol.md §4 (`focus`)

/// Where the student's attention is.
public enum Focus: Sendable, Hashable {
    /// On a region of the screen.
    case box(Box)
    /// On an element.
    case element(ElementID)
    /// On a point, such as the last touch.
    case point(Point)
}
