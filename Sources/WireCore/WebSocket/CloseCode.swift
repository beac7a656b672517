// CloseCode: the number in a close frame, and which numbers may stand there.
// Spec: RFC 6455 §7.4; IANA WebSocket close code registry

/// The number that says why a connection closes.
public struct CloseCode: RawRepresentable, Sendable, Hashable {
    /// The number.
    public let rawValue: UInt16

    /// Wraps any number; `mayBeSent` tells whether it may stand in a frame.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The purpose is fulfilled.
    public static let normal = CloseCode(rawValue: 1000)

    /// The endpoint leaves: a server shuts down, a page is closed.
    public static let goingAway = CloseCode(rawValue: 1001)

    /// A rule of the protocol was broken.
    public static let protocolError = CloseCode(rawValue: 1002)

    /// A kind of message that the endpoint cannot take.
    public static let unsupportedData = CloseCode(rawValue: 1003)

    /// Never sent: stands for a close frame without a number.
    public static let noStatus = CloseCode(rawValue: 1005)

    /// Never sent: stands for a connection that ended without a close frame.
    public static let abnormal = CloseCode(rawValue: 1006)

    /// Text that is not UTF-8.
    public static let invalidData = CloseCode(rawValue: 1007)

    /// A rule of this server was broken: floods and limits other than size.
    public static let policyViolation = CloseCode(rawValue: 1008)

    /// A message over the limit.
    public static let messageTooBig = CloseCode(rawValue: 1009)

    /// The server met a condition that it did not expect.
    public static let internalError = CloseCode(rawValue: 1011)

    /// Whether the number may stand in a close frame: 1000-1003, 1007-1014, 3000-4999.
    ///
    /// 1004, 1005, 1006 and 1015 are reserved as answers of local programming interfaces; 1016-2999 belong to future
    /// versions of the protocol; the rest was never given out.
    public var mayBeSent: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}
