// ScreenAck, ScreenResync: the answers to a screen.
// Spec: docs/protocol.md §4

/// `screen.ack`: the server has the screen.
public struct ScreenAck: Sendable, Hashable {
    /// The message that it answers.
    public var re: MessageID?
    /// The revision that the server has now.
    public var revision: Int64
    /// Elements on it.
    public var elements: Int
    /// The ids the server gave, in the order sent, for a snapshot that wanted them.
    public var ids: [ElementID]?

    /// Makes an ack.
    public init(re: MessageID? = nil, revision: Int64, elements: Int, ids: [ElementID]? = nil) {
        self.re = re
        self.revision = revision
        self.elements = elements
        self.ids = ids
    }
}

/// `screen.resync`: the server needs a snapshot.
public struct ScreenResync: Sendable, Hashable {
    /// Why the server could not follow.
    public enum Why: String, Sendable, Hashable, CaseIterable {
        case gap
        case limit
        case unknownID = "unknown_id"
    }

    /// The message that it answers.
    public var re: MessageID?
    /// The revision that the server has.
    public var revision: Int64
    /// Why.
    public var why: Why

    /// Makes a request for a snapshot.
    public init(re: MessageID? = nil, revision: Int64, why: Why) {
        self.re = re
        self.revision = revision
        self.why = why
    }
}
