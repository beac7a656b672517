// MessageInflater: inflates messages with zlib, under a hard cap.
// Spec: RFC 7692 §7.2.2

internal import CZlib

/// Inflates messages into a buffer of the caller, under a hard cap.
///
/// Confined to one thread. Cost at window 15: about 40 KB.
@safe
public final class MessageInflater {
    /// What became of a message.
    public enum Outcome: Sendable, Hashable {
        /// It lies in the first bytes of the buffer.
        case whole(byteCount: Int)
        /// It was longer than what is kept, and read past.
        case oversized(byteCount: Int)
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let memory: DeflateMemory

    /// An inflater without memory of any message; nil when zlib refuses the window.
    public init?(windowBits: Int, memory: DeflateMemory) {
        self.memory = memory
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe memory.attach(to: stream)
        guard unsafe chalkline_inflate_init(stream, Int32(windowBits)) == Z_OK else { return nil }
    }

    deinit {
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// Forgets all earlier messages, and a failure.
    public func reset() {
        _ = unsafe inflateReset(stream)
    }

    /// Inflates one whole message, without the four bytes that the wire leaves out.
    ///
    /// The buffer grows to at most `keepLimit` bytes and one. A message between `keepLimit` and `skipLimit` is read
    /// past in the same memory; a longer one ends at the first byte over.
    ///
    /// - Throws: `.messageTooBig` over `skipLimit`, `.corruptCompression` for bytes that are no deflate stream or end
    ///   within a block. The inflater is of no use then before `reset`.
    public func inflate(
        _ message: UnsafeRawBufferPointer, into buffer: InflateBuffer, keepLimit: Int, skipLimit: Int
    ) throws(WebSocketError) -> Outcome {
        buffer.trim()
        // Two flushes in a row give a careless sender no bytes at all; an honest empty message is one zero byte.
        guard message.count > 0 else { return .whole(byteCount: 0) }
        // Neither may pass what zlib counts in 32 bits.
        let keepLimit = min(max(0, keepLimit), Int(Int32.max))
        var output = Output(buffer: buffer, keepLimit: keepLimit, skipLimit: max(keepLimit, skipLimit))
        // A message whose last block says so is over; any other ends within the flush that the sender cut off.
        if unsafe try !run(message, &output) {
            let isAtEnd = unsafe try withUnsafeBytes(of: MessageDeflater.tail) { bytes throws(WebSocketError) in
                unsafe try run(bytes, &output)
            }
            guard isAtEnd || isBetweenBlocks else { throw .corruptCompression }
        }
        return output.total > output.keepLimit
            ? .oversized(byteCount: output.total) : .whole(byteCount: output.total)
    }

    /// How much of a message has come out, and where the rest goes.
    private struct Output {
        let buffer: InflateBuffer
        let keepLimit: Int
        let skipLimit: Int
        /// Bytes of the buffer in use.
        var filled = 0
        /// Bytes of the message so far.
        var total = 0

        /// Makes room for at least one byte: grows up to the limit, then writes over what is not kept any more.
        mutating func makeRoom() {
            guard filled == buffer.byteCount else { return }
            if total > keepLimit || !buffer.grow(keeping: filled, limit: keepLimit + 1) { filled = 0 }
        }

        mutating func count(_ produced: Int) throws(WebSocketError) {
            filled += produced
            total += produced
            guard total <= max(keepLimit, skipLimit) else { throw .messageTooBig(limit: keepLimit) }
        }
    }

    /// Takes all of `input`; true when it ends with the end of a stream.
    private func run(_ input: UnsafeRawBufferPointer, _ output: inout Output) throws(WebSocketError) -> Bool {
        guard let base = input.baseAddress, let count = UInt32(exactly: input.count) else { return false }
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
        unsafe stream.pointee.avail_in = count
        defer { unsafe stream.pointee.next_in = nil }
        var isAtEnd = false
        var isFull = false
        while unsafe stream.pointee.avail_in > 0 || isFull {
            output.makeRoom()
            let room = output.buffer.byteCount - output.filled
            unsafe stream.pointee.next_out = output.buffer.bytes.baseAddress?
                .advanced(by: output.filled).assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(truncatingIfNeeded: room)
            let status = unsafe CZlib.inflate(stream, Z_SYNC_FLUSH)
            try output.count(room - Int(unsafe stream.pointee.avail_out))
            isFull = unsafe stream.pointee.avail_out == 0
            switch status {
            case Z_OK:
                isAtEnd = false
            case Z_BUF_ERROR:
                // All input is used and nothing waits to come out.
                return isAtEnd
            case Z_STREAM_END:
                // RFC 7692 §7.2.3.4: a block that ends its stream may be followed by others, which refer back across.
                isAtEnd = true
                isFull = false
                guard unsafe inflateResetKeep(stream) == Z_OK else { throw .corruptCompression }
            default:
                throw .corruptCompression
            }
        }
        return isAtEnd
    }

    /// Whether the next bit would begin a block: zlib says so in `data_type`, with the bits that it has left over.
    private var isBetweenBlocks: Bool {
        let state = unsafe stream.pointee.data_type
        return state & 128 != 0 && state & 31 == 0
    }
}
