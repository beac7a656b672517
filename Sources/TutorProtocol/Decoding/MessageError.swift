// MessageError: why a client's message is refused, in the words of the protocol.
// Spec: docs/protocol.md §4 (`path`), §10

/// Why a client's message is refused.
///
/// The message changed nothing; the next one can be good.
public struct MessageError: Error, Sendable, Hashable {
    /// `bad_frame`, `bad_message`, `unknown_type` or `too_large`.
    public var code: ErrorCode
    /// One plain sentence without any of the message's texts.
    public var message: String
    /// The field, such as `elements[3].box`.
    public var path: String?
    /// The id of the message, wherever in it that stands; nil when it has none that can be read.
    public var re: MessageID?

    /// Makes an error.
    public init(code: ErrorCode, message: String, path: String? = nil, re: MessageID? = nil) {
        self.code = code
        self.message = message
        self.path = path
        self.re = re
    }

    /// The same as the client gets it.
    ///
    /// Never fatal.
    public var errorMessage: ErrorMessage {
        ErrorMessage(re: re, code: code, message: message, path: path)
    }
}
