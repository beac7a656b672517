// FrameHeader: the 2 to 14 bytes before a frame's payload.
// Spec: RFC 6455 §5.2

/// The fields of a frame header, and how they are laid out in bytes.
///
///      byte 0                byte 1                bytes 2…                        4 bytes
///     +---+---+---+---+----+------+-------------+--------------------------------+-----------------+
///     |FIN| R | R | R |op- | MASK | length      | length, continued              | masking key     |
///     |   | 1 | 2 | 3 |code|      | 0…125       | 126: 2 bytes, more than 125    | only if MASK is |
///     |   |   |   |   |    |      | 126 or 127  | 127: 8 bytes, more than 65 535 | set             |
///     |1 b|1 b|1 b|1 b|4 b | 1 b  | 7 b         | big-endian; top bit of 8 is 0  |                 |
///     +---+---+---+---+----+------+-------------+--------------------------------+-----------------+
struct FrameHeader: Sendable, Hashable {
    /// Longest header: two bytes, eight of length, four of key.
    static let maximumByteCount = 14

    /// Longest payload of a control frame, in bytes (RFC 6455 §5.5).
    static let maximumControlPayload = 125

    /// First byte: FIN, the three reserved bits and the opcode.
    var first: UInt8

    /// Payload length in bytes.
    var payloadLength: Int

    /// The key as a little-endian word, so that byte 0 of the key is its low byte; 0 when not masked.
    var maskingKey: UInt32

    /// Bytes of the header itself; 0 while it is incomplete.
    var byteCount: Int

    /// Whether this frame ends its message.
    var isFinal: Bool { first & 0x80 != 0 }

    /// Whether RSV1 is set: the message is compressed, when that was negotiated (RFC 7692 §6).
    var hasReservedBit1: Bool { first & 0x40 != 0 }

    /// The opcode.
    var opcode: Opcode { Opcode(rawValue: first & 0x0F) }

    /// The mark of a header that needs more bytes.
    static let incomplete = FrameHeader(first: 0, payloadLength: 0, maskingKey: 0, byteCount: 0)
}

extension FrameHeader {
    /// Reads the payload length as soon as its bytes are there, and nil before.
    ///
    /// `bytes` begins with the header and has at least two bytes. A length in a longer form than it needs, or with its
    /// top bit set, is a protocol error. The value may be any 63-bit number: the caller compares it with a limit.
    @inline(__always)
    static func payloadLength(in bytes: UnsafeRawBufferPointer) throws(WebSocketError) -> Int? {
        let short = unsafe bytes[1] & 0x7F
        if short <= 125 { return Int(short) }
        if short == 126 {
            guard bytes.count >= 4 else { return nil }
            let length = unsafe Int(UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
            guard length > 125 else { throw .nonMinimalLength }
            return length
        }
        guard bytes.count >= 10 else { return nil }
        let length = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
        // A plain conversion would trap on 2^63 and more, and the peer chooses this number.
        guard let exact = Int(exactly: length) else { throw .lengthOutOfRange }
        guard exact > 65_535 else { throw .nonMinimalLength }
        return exact
    }

    /// Reads the rest of a header whose payload length is known; `.incomplete` while the key is not all there.
    @inline(__always)
    static func read(_ bytes: UnsafeRawBufferPointer, payloadLength: Int) -> FrameHeader {
        let first = unsafe bytes[0]
        let second = unsafe bytes[1]
        var size = 2
        if second & 0x7F == 126 { size = 4 }
        if second & 0x7F == 127 { size = 10 }
        guard second & 0x80 != 0 else {
            return FrameHeader(first: first, payloadLength: payloadLength, maskingKey: 0, byteCount: size)
        }
        guard bytes.count >= size + 4 else { return .incomplete }
        let key = unsafe UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: size, as: UInt32.self))
        return FrameHeader(first: first, payloadLength: payloadLength, maskingKey: key, byteCount: size + 4)
    }
}
