// ElementFile: a screen as files and command-line batches have it.
// Spec: docs/protocol.md §4 (element); README (commands)

/// A screen as files and command-line batches have it: `{"screen"?, "elements": [...], "size"?, "focus"?}`.
public struct ElementFile: Sendable, Hashable {
    /// The screen's own name, if it has one.
    public var name: String?
    /// Size in pixels, if it is known.
    public var size: ScreenSize?
    /// Its elements.
    ///
    /// Boxes are as the file has them.
    public var elements: [Element]
    /// The type of each element as the file spells it, beside ``elements``.
    public var sourceTypes: [String]
    /// Where the student's attention is, if the file says so.
    public var focus: Focus?

    /// Makes a screen.
    public init(
        name: String? = nil, size: ScreenSize? = nil, elements: [Element], sourceTypes: [String], focus: Focus? = nil
    ) {
        self.name = name
        self.size = size
        self.elements = elements
        self.sourceTypes = sourceTypes
        self.focus = focus
    }
}
