// DeflatePool: what the connections of one shard share for compression.
// Spec: docs/compression.md

/// What the connections of one shard share: the policy, the inflater, encoders for messages without memory, buffers.
///
/// Confined to its shard.
public final class DeflatePool {
    /// How the shard compresses.
    public let policy: DeflatePolicy

    /// What zlib holds for the shard's connections.
    public let memory = DeflateMemory()

    /// Where messages are inflated into.
    let inflated = InflateBuffer()

    /// Where messages are written before they are compressed.
    private var plain: [UInt8] = []

    /// One inflater for all clients that do not keep their context.
    private var inflater: MessageInflater?

    /// Encoders for messages without memory, by window; at most one for each of the seven windows.
    private var encoders: [Int: MessageDeflater] = [:]

    /// A pool that has allocated nothing yet.
    public init(policy: DeflatePolicy) {
        self.policy = policy
    }

    /// The inflater for one message without memory; nil when zlib gives none.
    func freshInflater() -> MessageInflater? {
        if let inflater {
            inflater.reset()
            return inflater
        }
        // The largest window reads what any client sends.
        inflater = MessageInflater(windowBits: DeflatePolicy.windowBits.upperBound, memory: memory)
        return inflater
    }

    /// The encoder for one message without memory; nil when zlib gives none.
    func freshEncoder(windowBits: Int) -> MessageDeflater? {
        if let encoder = encoders[windowBits] {
            encoder.reset()
            return encoder
        }
        let encoder = MessageDeflater(windowBits: windowBits, policy: policy, memory: memory)
        encoders[windowBits] = encoder
        return encoder
    }

    /// An encoder for one connection; nil when the shard's budget is used up.
    func ownEncoder(windowBits: Int) -> MessageDeflater? {
        guard memory.heldByteCount < policy.memoryBytes else { return nil }
        return MessageDeflater(windowBits: windowBits, policy: policy, memory: memory)
    }

    /// Lets `body` write a message and hands it to `send`.
    func withPlain(_ body: (inout [UInt8]) -> Void, _ send: (UnsafeRawBufferPointer) -> Void) {
        // Taken out, so that writing a message while another is written finds its own.
        var buffer: [UInt8] = []
        swap(&buffer, &plain)
        body(&buffer)
        unsafe buffer.withUnsafeBytes { unsafe send($0) }
        guard buffer.capacity <= Self.keptByteCount else { return }
        buffer.removeAll(keepingCapacity: true)
        swap(&buffer, &plain)
    }

    /// Encodes one text message for many connections: compressed once, without memory of earlier messages.
    ///
    /// The caller vouches that it is UTF-8.
    public func sharedFrame(_ text: [UInt8]) -> SharedFrame {
        unsafe text.withUnsafeBytes { bytes in
            var plain: [UInt8] = []
            unsafe FrameWriter.append(.text, payload: bytes, to: &plain)
            var frame = SharedFrame(plain: plain, compressed: nil, windowBits: 0)
            let windowBits = policy.serverWindowBits.clamped(to: DeflatePolicy.windowBits)
            guard text.count >= policy.freshThreshold, let encoder = freshEncoder(windowBits: windowBits) else {
                return frame
            }
            var compressed: [UInt8] = []
            let mark = FrameWriter.begin(.text, hasReservedBit1: true, in: &compressed)
            guard unsafe encoder.append(bytes, to: &compressed) else { return frame }
            FrameWriter.end(mark, in: &compressed)
            guard compressed.count < plain.count else { return frame }
            frame.compressed = compressed
            frame.windowBits = windowBits
            return frame
        }
    }

    /// A larger buffer is freed instead of kept.
    private static let keptByteCount = 65_536
}
