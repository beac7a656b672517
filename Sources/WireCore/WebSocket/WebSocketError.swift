// WebSocketError: how a peer breaks the protocol or a limit, and the close code that it gets.
// Spec: RFC 6455 §7.1.7, §7.4.1

/// A fault of the peer on an open WebSocket.
///
/// The connection does not survive any of them.
///
/// The peer gets `closeCode` and `text`; neither holds anything that the peer sent.
public enum WebSocketError: Error, Sendable, Hashable {
    /// A close frame whose payload is a single byte.
    case closePayloadTooShort

    /// More control frames than the budget allows: 30 in 10 s by default.
    case controlFlood

    /// A control frame that announces more than 125 bytes.
    case controlTooBig

    /// A new data frame inside an unfinished message.
    case expectedContinuation

    /// A compressed message that is no deflate stream, or ends within one.
    ///
    /// 1007, as for any message whose bytes are not what they claim to be; RFC 7692 names no number.
    case corruptCompression

    /// A control frame without FIN.
    case fragmentedControl

    /// A number in a close frame that must not stand there.
    case invalidCloseCode(CloseCode)

    /// Text, or the reason of a close frame, that is not UTF-8.
    case invalidUTF8

    /// A 64-bit length with its top bit set.
    case lengthOutOfRange

    /// A message that would be longer than the limit.
    case messageTooBig(limit: Int)

    /// A message that took longer to arrive than the limit.
    case messageTooSlow

    /// A length in a longer form than it needs.
    case nonMinimalLength

    /// No memory, or no zlib, to inflate with.
    case outOfMemory

    /// A reserved bit whose extension was not negotiated.
    case reservedBits

    /// An opcode without a meaning.
    case reservedOpcode(Opcode)

    /// A message in more frames than the limit.
    case tooManyFragments(limit: Int)

    /// A continuation frame outside a message.
    case unexpectedContinuation

    /// A client's frame without a mask, or a server's frame with one.
    case wrongMasking

    /// The number that the peer gets.
    public var closeCode: CloseCode {
        switch self {
        case .closePayloadTooShort, .controlTooBig, .expectedContinuation, .fragmentedControl, .invalidCloseCode,
            .lengthOutOfRange, .nonMinimalLength, .reservedBits, .reservedOpcode, .unexpectedContinuation,
            .wrongMasking:
            .protocolError
        case .corruptCompression, .invalidUTF8: .invalidData
        case .outOfMemory: .internalError
        case .controlFlood, .messageTooSlow, .tooManyFragments: .policyViolation
        case .messageTooBig: .messageTooBig
        }
    }

    /// The text that goes with the number, at most 123 bytes.
    public var text: String {
        switch self {
        case .closePayloadTooShort: "close payload of one byte"
        case .controlFlood: "too many control frames"
        case .controlTooBig: "control frame over 125 bytes"
        case .corruptCompression: "corrupt compressed message"
        case .expectedContinuation: "new message inside a fragmented one"
        case .fragmentedControl: "fragmented control frame"
        case .invalidCloseCode: "invalid close code"
        case .invalidUTF8: "invalid utf-8"
        case .lengthOutOfRange: "length out of range"
        case .messageTooBig(let limit): "message over \(limit) bytes"
        case .messageTooSlow: "message took too long"
        case .nonMinimalLength: "length not in its shortest form"
        case .outOfMemory: "out of memory"
        case .reservedBits: "reserved bits set"
        case .reservedOpcode: "reserved opcode"
        case .tooManyFragments(let limit): "message in over \(limit) frames"
        case .unexpectedContinuation: "continuation outside a message"
        case .wrongMasking: "wrong masking"
        }
    }
}
