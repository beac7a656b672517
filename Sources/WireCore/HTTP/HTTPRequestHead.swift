// HTTPRequestHead: a request up to its empty line, checked.
// Spec: RFC 9112 §3, §6

/// A request up to its empty line.
///
/// Every value has passed `HTTPRequestParser`.
public struct HTTPRequestHead: Sendable, Hashable {
    /// What the head says about a body.
    public enum Body: Sendable, Hashable {
        /// A body in chunks, of unknown length.
        case chunked

        /// A body of this many bytes, at least one.
        case length(Int)

        /// No body.
        case none
    }

    /// The method.
    public var method: HTTPMethod

    /// The path as it came, not percent-decoded; begins with `/` (or is `*` for `OPTIONS *`).
    ///
    /// Compare it with known paths; do not join it to a folder.
    public var path: String

    /// What stands after the first `?`, not percent-decoded; nil without one.
    public var query: String?

    /// True for HTTP/1.1, false for HTTP/1.0.
    public var isHTTP11: Bool

    /// The header fields in order.
    public var headers: HTTPHeaders

    /// What the head says about a body.
    public var body: Body = .none

    /// The host and port that the request is for: the target's when it has one, else the `Host` field's; empty in an
    /// HTTP/1.0 request without `Host`.
    public var authority: String

    /// Whether the client is ready for another request on this connection.
    ///
    /// HTTP/1.0's `keep-alive` is not taken up: no client that matters speaks it.
    public var keepsAlive: Bool { isHTTP11 && !headers.lists("close", in: "Connection") }

    /// Refuses a request with a body, on a route that takes none.
    ///
    /// The body is not read: the answer closes the connection.
    public func requireNoBody() throws(HTTPRequestError) {
        switch body {
        case .chunked: throw .bodyWithoutLength
        case .length: throw .bodyNotTaken
        case .none: return
        }
    }
}
