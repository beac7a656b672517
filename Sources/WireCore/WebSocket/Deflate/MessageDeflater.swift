// MessageDeflater: compresses messages with zlib.
// Spec: RFC 7692 §7.2.1

internal import CZlib

/// Compresses messages, each into bytes that are a frame's payload.
///
/// It remembers earlier messages until `reset`. Confined to one thread. Cost at window 13 and memory level 3: about
/// 43 KB.
@safe
public final class MessageDeflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private let memory: DeflateMemory

    /// An encoder without memory of any message; nil when zlib refuses the numbers.
    public init?(windowBits: Int, memoryLevel: Int, level: Int, memory: DeflateMemory) {
        self.memory = memory
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe memory.attach(to: stream)
        let status = unsafe chalkline_deflate_init(stream, Int32(level), Int32(windowBits), Int32(memoryLevel))
        guard status == Z_OK else {
            // `deinit` runs all the same, and `deflateEnd` refuses a stream that was never begun.
            return nil
        }
    }

    /// An encoder as a policy wants it.
    convenience init?(windowBits: Int, policy: DeflatePolicy, memory: DeflateMemory) {
        self.init(
            windowBits: windowBits, memoryLevel: policy.memoryLevel.clamped(to: 1...9),
            level: policy.level.clamped(to: 1...9), memory: memory)
    }

    deinit {
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Forgets all earlier messages; the next one refers to none of them.
    public func reset() {
        _ = unsafe deflateReset(stream)
    }

    /// Appends one compressed message.
    ///
    /// False when zlib fails, which leaves `output` as it was and the encoder of no further use.
    public func append(_ message: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
        guard let base = message.baseAddress, message.count > 0 else {
            // RFC 7692 §7.2.3.6: zlib writes nothing for a second flush in a row, so the empty block is written here.
            output.append(0)
            return true
        }
        guard let count = UInt32(exactly: message.count) else { return false }
        let start = output.count
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = count
        defer { unsafe stream.pointee.next_in = nil }
        // Most messages fit the first piece: they shrink, and growth is a few bytes a block.
        var room = min(message.count, Self.pieceByteCount) + Self.spareByteCount
        while true {
            let (status, isFull) = appendPiece(room, to: &output)
            guard status == Z_OK || status == Z_BUF_ERROR else { break }
            guard isFull else {
                guard Self.endsWithTail(output, from: start) else { break }
                output.removeLast(Self.tailByteCount)
                return true
            }
            room = Self.pieceByteCount
        }
        output.removeLast(output.count - start)
        return false
    }

    /// Runs the encoder once into at most `room` bytes behind the output.
    private func appendPiece(_ room: Int, to output: inout [UInt8]) -> (status: Int32, isFull: Bool) {
        var status = Z_STREAM_ERROR
        output.append(addingCapacity: room) { span in
            unsafe span.withUnsafeMutableBufferPointer { buffer, initialized in
                guard let base = buffer.baseAddress else { return }
                unsafe stream.pointee.next_out = base + initialized
                unsafe stream.pointee.avail_out = UInt32(room)
                status = unsafe deflate(stream, Z_SYNC_FLUSH)
                initialized += unsafe room - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_out = nil
            }
        }
        return (status, unsafe stream.pointee.avail_out == 0)
    }

    private static func endsWithTail(_ output: [UInt8], from start: Int) -> Bool {
        let end = output.count
        guard end - start > tailByteCount else { return false }
        return output[end - 4] == 0 && output[end - 3] == 0 && output[end - 2] == 0xFF && output[end - 1] == 0xFF
    }

    /// What a flush ends with, and the wire leaves out (RFC 7692 §7.2.1): 00 00 FF FF as it lies in memory.
    static let tail = UInt32(littleEndian: 0xFFFF_0000)
    private static let tailByteCount = 4

    /// What one run of the encoder may write.
    private static let pieceByteCount = 16_384

    /// Beside the message's own length in the first piece: a flush's bytes and a block's header.
    private static let spareByteCount = 64
}
