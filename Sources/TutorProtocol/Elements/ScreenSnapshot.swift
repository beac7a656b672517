// ScreenSnapshot: a whole screen, as a client sends it.
// Spec: docs/protocol.md §4 (`screen.snapshot`)

/// A whole screen, as a client sends it.
///
/// Boxes are in the client's convention.
public struct ScreenSnapshot: Sendable, Hashable {
    /// The client's number of this state, 0 to 2^53 - 1.
    public var revision: Int64
    /// Size in pixels; required by clients that count in pixels.
    public var size: ScreenSize?
    /// The page's title.
    public var title: String?
    /// The page's address; another one starts a new screen.
    public var url: String?
    /// Every element; at most ``Limits/elements``, ids unique.
    public var elements: [Element]
    /// Where the student's attention is.
    public var focus: Focus?
    /// Whether the client has no lasting ids and wants the server's (`"ids":"fresh"`).
    public var wantsFreshIDs: Bool
    /// Whether the client wants data found in texts (`"detect":true`).
    public var wantsDetections: Bool

    /// Makes a snapshot.
    public init(
        revision: Int64, size: ScreenSize? = nil, title: String? = nil, url: String? = nil, elements: [Element],
        focus: Focus? = nil, wantsFreshIDs: Bool = false, wantsDetections: Bool = false
    ) {
        self.revision = revision
        self.size = size
        self.title = title
        self.url = url
        self.elements = elements
        self.focus = focus
        self.wantsFreshIDs = wantsFreshIDs
        self.wantsDetections = wantsDetections
    }
}
