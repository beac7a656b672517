// ErrorMessage: a message could not be followed.
// Spec: docs/protocol.md §10

/// `error`: a message could not be followed; it changed nothing.
public struct ErrorMessage: Sendable, Hashable {
    /// The message that it is about.
    public var re: MessageID?
    /// What kind of fault.
    public var code: ErrorCode
    /// One plain sentence; holds no payload, key or path of the server.
    public var message: String
    /// The field, such as `elements[3].box`.
    public var path: String?
    /// When to try again, in milliseconds.
    public var retryMilliseconds: Int?
    /// Whether the server closes the socket after it.
    public var isFatal: Bool

    /// Makes an error.
    public init(
        re: MessageID? = nil, code: ErrorCode, message: String, path: String? = nil, retryMilliseconds: Int? = nil,
        isFatal: Bool = false
    ) {
        self.re = re
        self.code = code
        self.message = message
        self.path = path
        self.retryMilliseconds = retryMilliseconds
        self.isFatal = isFatal
    }
}
