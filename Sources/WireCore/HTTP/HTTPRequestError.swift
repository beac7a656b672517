// HTTPRequestError: why a request is refused before any route sees it.
// Spec: RFC 9112 §2.2, §3, §5, §6; docs/protocol.md §1

/// Why a request is refused before any route sees it.
///
/// The peer's fault; the connection is answered and closed.
public enum HTTPRequestError: Error, Sendable, Hashable {
    /// A line that ends in LF without CR. Taking it would let two parsers on the way disagree.
    case bareLineFeed

    /// A body on a route that takes none.
    case bodyNotTaken

    /// A body of unknown length.
    case bodyWithoutLength

    /// `Content-Length` and `Transfer-Encoding` together, the classic of request smuggling; or a transfer coding in
    /// HTTP/1.0.
    case conflictingLengths

    /// More than one `Content-Length`, or one that is not a number.
    case invalidContentLength

    /// A header line that is not a name, a colon and a value: space before the colon, control bytes, no colon.
    case invalidHeader

    /// No `Host`, more than one, or one with characters that no host has.
    case invalidHost

    /// A first line that is not a method, a target and a version.
    case invalidRequestLine

    /// All headers, or one of them, over their limits.
    case headersTooLarge

    /// A header line that begins with space: the old way to continue the line before.
    case obsoleteFolding

    /// The first line is over its limit.
    case requestLineTooLong

    /// More header fields than the limit.
    case tooManyHeaders

    /// A transfer coding other than `chunked`.
    case unknownTransferCoding

    /// A version of HTTP other than 1.0 and 1.1.
    case unsupportedVersion

    /// The status of the answer.
    public var status: HTTPStatus {
        switch self {
        case .bareLineFeed, .conflictingLengths, .invalidContentLength, .invalidHeader, .invalidHost,
            .invalidRequestLine, .obsoleteFolding:
            .badRequest
        case .bodyNotTaken: .contentTooLarge
        case .bodyWithoutLength: .lengthRequired
        case .headersTooLarge, .tooManyHeaders: .headersTooLarge
        case .requestLineTooLong: .uriTooLong
        case .unknownTransferCoding: .notImplemented
        case .unsupportedVersion: .versionNotSupported
        }
    }

    /// What is said in the answer's body.
    public var text: String {
        switch self {
        case .bareLineFeed: "line feed without carriage return"
        case .bodyNotTaken: "no request body is taken here"
        case .bodyWithoutLength: "no request body is taken here, and none of unknown length"
        case .conflictingLengths: "content-length and transfer-encoding conflict"
        case .invalidContentLength: "invalid content-length"
        case .invalidHeader: "invalid header field"
        case .invalidHost: "host missing, repeated or invalid"
        case .invalidRequestLine: "invalid request line"
        case .headersTooLarge: "header fields too large"
        case .obsoleteFolding: "folded header field"
        case .requestLineTooLong: "request line too long"
        case .tooManyHeaders: "too many header fields"
        case .unknownTransferCoding: "unknown transfer coding"
        case .unsupportedVersion: "http version not supported"
        }
    }

    /// The answer.
    ///
    /// It is always the last on its connection, since what follows cannot be trusted to be a request.
    public var response: HTTPResponse {
        HTTPResponse(status: status, text: text)
    }
}
