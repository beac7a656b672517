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
        // One growth and no further check for the whole frame: this runs for every message out.
        output.append(addingCapacity: FrameHeader.maximumByteCount + count) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, initialized in
                guard let base = buffer.baseAddress else { return }
                let frame = unsafe UnsafeMutableRawPointer(base + initialized)
                var size = unsafe storeHeader(first, count, isMasked: maskingKey != nil, at: frame)
                if let maskingKey {
                    unsafe frame.storeBytes(of: maskingKey.littleEndian, toByteOffset: size, as: UInt32.self)
                    size += 4
                }
                let target = unsafe UnsafeMutableRawBufferPointer(start: frame + size, count: count)
                if let source = payload.baseAddress, count > 0 {
                    unsafe (frame + size).copyMemory(from: source, byteCount: count)
                }
                if let maskingKey { _ = unsafe FrameMask.apply(maskingKey, to: target) }
                initialized += size + count
            }
        }
    }

    /// Stores the first two bytes and the rest of the length in the shortest of its three forms (RFC 6455 §5.2); returns how many bytes that were, at most 10.
    @inline(__always)
    private static func storeHeader(
        _ first: UInt8, _ count: Int, isMasked: Bool, at frame: UnsafeMutableRawPointer
    ) -> Int {
        let maskBit: UInt8 = isMasked ? 0x80 : 0
        unsafe frame.storeBytes(of: first, as: UInt8.self)
        if count <= 125 {
            unsafe frame.storeBytes(of: maskBit | UInt8(truncatingIfNeeded: count), toByteOffset: 1, as: UInt8.self)
            return 2
        }
        if count <= 65_535 {
            let length = UInt16(truncatingIfNeeded: count)
            unsafe frame.storeBytes(of: maskBit | 126, toByteOffset: 1, as: UInt8.self)
            unsafe frame.storeBytes(of: length.bigEndian, toByteOffset: 2, as: UInt16.self)
            return 4
        }
        unsafe frame.storeBytes(of: maskBit | 127, toByteOffset: 1, as: UInt8.self)
        unsafe frame.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 2, as: UInt64.self)
        return 10
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
}
