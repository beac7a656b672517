// HandshakeError: why a request does not become a WebSocket.
// Spec: RFC 6455 §4.2.1, §4.4

/// Why a request does not become a WebSocket.
///
/// The client's fault; it gets `response` and the connection closes.
public enum HandshakeError: Error, Sendable, Hashable {
    /// `Connection` does not list `Upgrade`.
    case connectionNotUpgrade

    /// `Sec-WebSocket-Extensions` is not a list of extensions.
    case invalidExtensions

    /// `Sec-WebSocket-Key` is missing, repeated, or not Base64 of 16 bytes.
    case invalidKey

    /// `Sec-WebSocket-Protocol` is not a list of different tokens.
    case invalidSubprotocols

    /// HTTP/1.0.
    case notHTTP11

    /// A method other than GET.
    case notGet

    /// `Upgrade` does not list `websocket`.
    case notWebSocket

    /// `Sec-WebSocket-Version` is not 13.
    case unsupportedVersion

    /// The status of the answer.
    public var status: HTTPStatus {
        switch self {
        case .connectionNotUpgrade, .invalidExtensions, .invalidKey, .invalidSubprotocols, .notHTTP11, .notWebSocket:
            .badRequest
        case .notGet: .methodNotAllowed
        case .unsupportedVersion: .upgradeRequired
        }
    }

    /// What is said in the answer's body.
    public var text: String {
        switch self {
        case .connectionNotUpgrade: "connection is not upgrade"
        case .invalidExtensions: "invalid sec-websocket-extensions"
        case .invalidKey: "sec-websocket-key missing, repeated or not 16 bytes"
        case .invalidSubprotocols: "invalid sec-websocket-protocol"
        case .notHTTP11: "a websocket needs http/1.1"
        case .notGet: "a websocket is opened with get"
        case .notWebSocket: "upgrade is not websocket"
        case .unsupportedVersion: "sec-websocket-version is not 13"
        }
    }

    /// The answer.
    ///
    /// Write it with `keepsAlive: false`.
    public var response: HTTPResponse {
        var response = HTTPResponse(status: status, text: text)
        switch self {
        case .notGet:
            response.headers.add("Allow", "GET")
        case .unsupportedVersion:
            // RFC 6455 §4.4: name the version that is spoken.
            response.headers.add("Upgrade", "websocket")
            response.headers.add("Sec-WebSocket-Version", "13")
        case .connectionNotUpgrade, .invalidExtensions, .invalidKey, .invalidSubprotocols, .notHTTP11, .notWebSocket:
            break
        }
        return response
    }
}
