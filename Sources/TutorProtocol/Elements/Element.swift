// Element: one thing on the student's screen.
// Spec: docs/protocol.md §4

/// One thing on the student's screen, as its client described it.
public struct Element: Sendable, Hashable {
    /// The client's name for it.
    public var id: ElementID
    /// What it is (wire: `type`).
    public var kind: ElementKind
    /// Its visible text.
    ///
    /// At most ``Limits/contentBytes`` bytes of UTF-8.
    public var content: String
    /// Where it is.
    ///
    /// See ``Box`` for whose convention.
    public var box: Box
    /// The hint of an empty input.
    public var placeholder: String?
    /// What an input holds.
    public var value: String?
    /// The accessible name where it is not the content.
    public var label: String?
    /// The states it is in.
    public var states: ElementStates
    /// The client's name for the group it belongs to.
    public var region: String?
    /// Its place among the lines of a derivation or of code, from 1.
    public var line: Int?
    /// The element that contains it.
    public var parent: ElementID?

    /// Makes an element; all but id, kind, content and box may be left out.
    @inline(__always)
    public init(
        id: ElementID, kind: ElementKind, content: String, box: Box, placeholder: String? = nil, value: String? = nil,
        label: String? = nil, states: ElementStates = [], region: String? = nil, line: Int? = nil,
        parent: ElementID? = nil
    ) {
        self.id = id
        self.kind = kind
        self.content = content
        self.box = box
        self.placeholder = placeholder
        self.value = value
        self.label = label
        self.states = states
        self.region = region
        self.line = line
        self.parent = parent
    }
}
