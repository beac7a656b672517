// FrameWriter: appends frames to a write buffer.
// Spec: RFC 6455 §5.2, §5.3

/// Appends frames to the end of a write buffer, without a copy of the payload in between.
///
/// It knows nothing of a connection's state: `WebSocketConnection` decides whether a frame may be sent at all. Use it
/// directly to encode one frame that goes to many connections.
public struct FrameWriter: Sendable {
    /// Where an open frame began in its buffer.
    public struct Mark: Sendable {
        var start: Int
        var payloadStart: Int
        var first: UInt8
        var maskingKey: UInt32?
    }

    /// Appends one whole frame.
    ///
    /// Frames of a server carry no key (`maskingKey` nil, the default). A client's key has key byte 0 in its low byte.
    public static func append(
        _ opcode: Opcode, isFinal: Bool = true, hasReservedBit1: Bool = false, maskingKey: UInt32? = nil,
        payload: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) {
        let first = firstByte(opcode, isFinal: isFinal, hasReservedBit1: hasReservedBit1)
        let count = payload.count
        // One growth and one check for the whole frame: this runs for every message out.
        output.append(addingCapacity: FrameHeader.maximumByteCount + count) { span in
            span.append(first)
            appendLength(count, maskBit: maskingKey == nil ? 0 : 0x80, to: &span)
            if let maskingKey { appendLittleEndian(maskingKey, to: &span) }
            unsafe span.withUnsafeMutableBufferPointer { buffer, initialized in
                guard let base = buffer.baseAddress, let source = payload.baseAddress, count > 0 else { return }
                let target = unsafe UnsafeMutableRawBufferPointer(start: base + initialized, count: count)
                unsafe target.baseAddress?.copyMemory(from: source, byteCount: count)
                if let maskingKey { _ = unsafe FrameMask.apply(maskingKey, to: target) }
                initialized += count
            }
        }
    }

    /// Appends one whole frame from an array.
    public static func append(
        _ opcode: Opcode, isFinal: Bool = true, maskingKey: UInt32? = nil, payload: [UInt8], to output: inout [UInt8]
    ) {
        unsafe payload.withUnsafeBytes { bytes in
            unsafe append(opcode, isFinal: isFinal, maskingKey: maskingKey, payload: bytes, to: &output)
        }
    }

    /// Opens a frame: leaves room for its header, then the caller appends the payload to the same buffer.
    ///
    /// The room is for the 16-bit length, which most messages of more than a few words need; `end` moves a payload
    /// only when its length takes another form (up to 125 bytes by two places, more than 65 535 by six).
    public static func begin(
        _ opcode: Opcode, hasReservedBit1: Bool = false, maskingKey: UInt32? = nil, in output: inout [UInt8]
    ) -> Mark {
        let start = output.count
        let room = 4 + (maskingKey == nil ? 0 : 4)
        output.append(0)
        output.append(0)
        output.append(0)
        output.append(0)
        if maskingKey != nil { output.append(contentsOf: [0, 0, 0, 0]) }
        return Mark(
            start: start, payloadStart: start + room,
            first: firstByte(opcode, isFinal: true, hasReservedBit1: hasReservedBit1), maskingKey: maskingKey)
    }

    /// Closes the frame that `begin` opened: everything appended since is its payload.
    ///
    /// A buffer that became shorter than the mark holds no such frame and is left as it is.
    public static func end(_ mark: Mark, in output: inout [UInt8]) {
        let length = output.count - mark.payloadStart
        guard length >= 0 else { return }
        let keySize = mark.maskingKey == nil ? 0 : 4
        let lengthSize = length <= 125 ? 0 : (length <= 65_535 ? 2 : 8)
        let target = mark.start + 2 + lengthSize + keySize
        if target > mark.payloadStart { output.append(contentsOf: [0, 0, 0, 0, 0, 0]) }
        unsafe output.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            if target != mark.payloadStart {
                unsafe (base + target).copyMemory(from: base + mark.payloadStart, byteCount: length)
            }
            unsafe bytes[mark.start] = mark.first
            let short = lengthSize == 0 ? UInt8(truncatingIfNeeded: length) : (lengthSize == 2 ? 126 : 127)
            unsafe bytes[mark.start + 1] = short | (keySize == 0 ? 0 : 0x80)
            for place in 0..<lengthSize {
                let shift = (lengthSize - 1 - place) * 8
                unsafe bytes[mark.start + 2 + place] = UInt8(truncatingIfNeeded: length >> shift)
            }
            if let key = mark.maskingKey {
                for place in 0..<4 {
                    unsafe bytes[target - 4 + place] = UInt8(truncatingIfNeeded: key &>> UInt32(place * 8))
                }
                let payload = unsafe UnsafeMutableRawBufferPointer(start: base + target, count: length)
                _ = unsafe FrameMask.apply(key, to: payload)
            }
        }
        if target < mark.payloadStart { output.removeLast(mark.payloadStart - target) }
    }

    private static func firstByte(_ opcode: Opcode, isFinal: Bool, hasReservedBit1: Bool) -> UInt8 {
        (isFinal ? 0x80 : 0) | (hasReservedBit1 ? 0x40 : 0) | opcode.rawValue
    }

    /// RFC 6455 §5.2: the shortest of the three forms.
    @inline(__always)
    private static func appendLength(_ count: Int, maskBit: UInt8, to span: inout OutputSpan<UInt8>) {
        if count <= 125 {
            span.append(maskBit | UInt8(truncatingIfNeeded: count))
        } else if count <= 65_535 {
            span.append(maskBit | 126)
            span.append(UInt8(truncatingIfNeeded: count >> 8))
            span.append(UInt8(truncatingIfNeeded: count))
        } else {
            span.append(maskBit | 127)
            for shift in stride(from: 56, through: 0, by: -8) { span.append(UInt8(truncatingIfNeeded: count >> shift)) }
        }
    }

    private static func appendLittleEndian(_ key: UInt32, to span: inout OutputSpan<UInt8>) {
        for shift: UInt32 in [0, 8, 16, 24] { span.append(UInt8(truncatingIfNeeded: key &>> shift)) }
    }
}
