// CloseReason: why the server closes a socket, with the close code and the client's duty.
// Spec: docs/protocol.md §3 (close codes); a test compares the two.

/// Why the server closes a socket.
///
/// One place for code, text and duty.
public enum CloseReason: Sendable, Hashable, CaseIterable {
    case badUTF8
    case drain
    case flood
    case forbidden
    case goingAway
    case helloTimeout
    case internalError
    case normal
    case protocolError
    case replaced
    case slowConsumer
    case tooBig
    case tooManyConnections
    case unauthorized
    case unsupportedData

    /// The close code (RFC 6455 §7.4; 4000-4999 are ours).
    public var code: UInt16 {
        switch self {
        case .normal: 1000
        case .goingAway: 1001
        case .protocolError: 1002
        case .unsupportedData: 1003
        case .badUTF8: 1007
        case .flood: 1008
        case .tooBig: 1009
        case .internalError: 1011
        case .helloTimeout: 4408
        case .slowConsumer: 4409
        case .drain: 4412
        case .unauthorized: 4501
        case .forbidden: 4503
        case .tooManyConnections: 4504
        case .replaced: 4505
        }
    }

    /// The text that goes with the code, at most 123 bytes.
    public var text: String {
        switch self {
        case .normal: "normal"
        case .goingAway: "going away"
        case .protocolError: "protocol error"
        case .unsupportedData: "unsupported data"
        case .badUTF8: "bad utf-8"
        case .flood: "flood"
        case .tooBig: "too big"
        case .internalError: "internal error"
        case .helloTimeout: "hello timeout"
        case .slowConsumer: "slow consumer"
        case .drain: "drain"
        case .unauthorized: "unauthorized"
        case .forbidden: "forbidden"
        case .tooManyConnections: "too many connections"
        case .replaced: "replaced"
        }
    }

    /// Whether a client should connect again by itself.
    public var mayReconnect: Bool {
        switch self {
        case .drain, .goingAway, .helloTimeout, .internalError, .slowConsumer: true
        case .badUTF8, .flood, .forbidden, .normal, .protocolError, .replaced, .tooBig, .tooManyConnections,
            .unauthorized, .unsupportedData:
            false
        }
    }
}
