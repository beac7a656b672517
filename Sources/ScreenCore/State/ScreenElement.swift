// ScreenElement: an element of the screen as the server keeps it.
// Spec: docs/protocol.md §4

public import TutorProtocol

/// An element of the screen as the server keeps it: whose it is, what it says, and since when.
public struct ScreenElement: Sendable, Hashable {
    /// The server's identity of it.
    public let serial: ElementSerial
    /// What the client said of it; its box is normalised.
    public internal(set) var element: Element
    /// The revision at which `content` or `value` last became other than before; at first the one that added it.
    public internal(set) var contentRevision: Int64
    /// The same for everything but the box: also label, placeholder, states.
    public internal(set) var alterationRevision: Int64

    /// Makes an element as of a revision.
    public init(serial: ElementSerial, element: Element, contentRevision: Int64, alterationRevision: Int64? = nil) {
        self.serial = serial
        self.element = element
        self.contentRevision = contentRevision
        self.alterationRevision = alterationRevision ?? contentRevision
    }

    /// The client's name for it.
    public var id: ElementID { element.id }

    /// Whether it may be shown to a model, a log or a teacher: neither secret nor invisible.
    public var isShowable: Bool { element.states.isDisjoint(with: [.secure, .hidden]) }

    /// Whether two descriptions show the same text.
    static func sameContent(_ left: Element, _ right: Element) -> Bool {
        left.content == right.content && left.value == right.value
    }

    /// Whether two descriptions are alike in all but place and grouping.
    static func sameLook(_ left: Element, _ right: Element) -> Bool {
        sameContent(left, right) && left.states == right.states && left.label == right.label
            && left.placeholder == right.placeholder
    }
}
