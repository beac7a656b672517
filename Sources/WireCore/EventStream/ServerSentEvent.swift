// ServerSentEvent: one event of an event stream.
// Spec: WHATWG HTML §9.2.6 (interpreting an event stream)

/// One event of an event stream.
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` where the stream names none.
    public var type: String
    /// The bytes of all `data` fields, joined by line feeds.
    ///
    /// Not checked to be UTF-8: the reader of the data is.
    public var data: [UInt8]
    /// The last id that the stream gave, this event's or an earlier one's; empty where it gave none.
    public var lastEventID: String

    /// Makes an event.
    public init(type: String = "message", data: [UInt8], lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Why an event stream cannot be read on.
///
/// The peer's fault; the stream is over.
public enum EventStreamError: Error, Sendable, Hashable {
    /// The data, type and id of one event together pass the limit.
    case eventTooLong(limit: Int)
    /// One line passes the limit.
    case lineTooLong(limit: Int)
}
