// Opcode: what a WebSocket frame is.
// Spec: RFC 6455 §5.2, §11.8

/// What a frame is: a data frame (0-2) or a control frame (8-10).
///
/// Other values are reserved and refused.
public struct Opcode: RawRepresentable, Sendable, Hashable {
    /// The four bits as they stand in the frame's first byte.
    public let rawValue: UInt8

    /// Wraps four bits; the upper half of `rawValue` must be zero.
    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The next part of a fragmented message.
    @inlinable public static var continuation: Opcode { Opcode(rawValue: 0x0) }

    /// The first or only frame of a text message.
    @inlinable public static var text: Opcode { Opcode(rawValue: 0x1) }

    /// The first or only frame of a binary message.
    @inlinable public static var binary: Opcode { Opcode(rawValue: 0x2) }

    /// Begins or answers the closing handshake.
    @inlinable public static var close: Opcode { Opcode(rawValue: 0x8) }

    /// Asks the peer for a pong.
    @inlinable public static var ping: Opcode { Opcode(rawValue: 0x9) }

    /// Answers a ping, or comes unasked as a sign of life.
    @inlinable public static var pong: Opcode { Opcode(rawValue: 0xA) }

    /// Whether this is a control frame: never fragmented, at most 125 bytes, allowed between fragments.
    public var isControl: Bool { rawValue & 0x8 != 0 }

    /// Whether the value has a meaning today.
    ///
    /// The rest is kept for later versions and fails a connection.
    public var isKnown: Bool { rawValue <= 0x2 || (rawValue >= 0x8 && rawValue <= 0xA) }
}
