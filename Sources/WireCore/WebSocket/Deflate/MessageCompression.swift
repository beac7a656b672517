// MessageCompression: permessage-deflate on one connection.
// Spec: RFC 7692 §6, §7.2; docs/compression.md

/// permessage-deflate on one connection, after it was agreed on.
///
/// Holds no memory of zlib before the first message that is worth compressing, and none again once the encoder has not
/// been used for the policy's `idleTime`: a new encoder refers to nothing that was sent before, which is always legal.
///
/// Confined to its shard.
public final class MessageCompression {
    /// A message that was inflated.
    @unsafe
    public enum Inflated {
        /// The bytes, in the shard's buffer; they die with the next message of the shard.
        case whole(UnsafeRawBufferPointer)
        /// It was over the limit and read past.
        case oversized(byteCount: Int)
    }

    /// What was agreed on.
    public let parameters: DeflateParameters
    private let pool: DeflatePool
    private var encoder: MessageDeflater?
    private var inflater: MessageInflater?
    private var lastUsed: Duration = .zero

    /// Compression as agreed on, before the first message.
    public init(_ parameters: DeflateParameters, pool: DeflatePool) {
        self.parameters = parameters
        self.pool = pool
    }

    /// When `releaseIdle` wants to be called; nil while there is nothing to free.
    public var idleDeadline: Duration? { encoder == nil ? nil : lastUsed + pool.policy.idleTime }

    /// Frees the encoder when it was not used for long enough.
    ///
    /// A client's own context cannot be freed: its next message may refer to it.
    public func releaseIdle(now: Duration) {
        if let due = idleDeadline, now >= due { encoder = nil }
    }

    // MARK: - Sending

    /// Appends a message that `body` writes, compressed if that pays.
    func append(
        _ opcode: Opcode, maskingKey: UInt32?, now: Duration, to output: inout [UInt8], _ body: (inout [UInt8]) -> Void
    ) {
        unsafe pool.withPlain(body) { message in
            unsafe append(opcode, message, maskingKey: maskingKey, now: now, to: &output)
        }
    }

    /// Appends a message, compressed if that pays.
    func append(
        _ opcode: Opcode, _ message: UnsafeRawBufferPointer, maskingKey: UInt32?, now: Duration,
        to output: inout [UInt8]
    ) {
        if let encoder = ownEncoder(for: message.count) {
            lastUsed = now
            let start = output.count
            let mark = FrameWriter.begin(opcode, hasReservedBit1: true, maskingKey: maskingKey, in: &output)
            // Also when it grew: the message is in the encoder's memory now, so the client must see it compressed.
            if unsafe encoder.append(message, to: &output) { return FrameWriter.end(mark, in: &output) }
            output.removeLast(output.count - start)
            self.encoder = nil
        } else if encoder == nil, message.count >= pool.policy.freshThreshold,
            // Only before there is an own encoder: what it does not know of must not enter the client's window.
            let encoder = pool.freshEncoder(windowBits: parameters.serverWindowBits)
        {
            let start = output.count
            let mark = FrameWriter.begin(opcode, hasReservedBit1: true, maskingKey: maskingKey, in: &output)
            let payloadStart = output.count
            if unsafe encoder.append(message, to: &output), output.count - payloadStart < max(1, message.count) {
                return FrameWriter.end(mark, in: &output)
            }
            output.removeLast(output.count - start)
        }
        unsafe FrameWriter.append(opcode, maskingKey: maskingKey, payload: message, to: &output)
    }

    /// Appends a frame that many connections get.
    ///
    /// It enters the client's window, of which the encoder knows nothing: the encoder begins anew.
    func append(_ frame: SharedFrame, to output: inout [UInt8]) {
        guard let compressed = frame.compressed, frame.windowBits <= parameters.serverWindowBits else {
            output.append(contentsOf: frame.plain)
            return
        }
        encoder?.reset()
        output.append(contentsOf: compressed)
    }

    private func ownEncoder(for byteCount: Int) -> MessageDeflater? {
        guard parameters.keepsServerContext, byteCount >= pool.policy.threshold else { return nil }
        if encoder == nil { encoder = pool.ownEncoder(windowBits: parameters.serverWindowBits) }
        return encoder
    }

    // MARK: - Receiving

    /// How many times its bytes on the wire a message that is too long may have, to be read past as often as it comes.
    ///
    /// 64: screens shrink 5 to 20 times. 4 KiB of compressed zeros cost milliseconds each, for nothing.
    public static let readPastRatio = 64

    /// What is left of the bytes that a connection may have read past beyond that ratio; without them it ends with 1009.
    ///
    /// 4 MiB at first: a careless client is told once or a few times what is wrong.
    private var readPastBytes = 4_194_304

    /// Inflates a message and checks that text is UTF-8.
    ///
    /// Longer than `limits.messageBytes`, it is read past up to `limits.skippedBytes` as an uncompressed one would be: as
    /// long as it has at most ``readPastRatio`` times its bytes on the wire, or the connection's ``readPastBytes`` allow.
    ///
    /// - Throws: `.messageTooBig`, `.corruptCompression`, `.invalidUTF8`, `.outOfMemory`; the connection has to end.
    public func inflate(
        _ message: UnsafeRawBufferPointer, isText: Bool, limits: WebSocketLimits
    ) throws(WebSocketError) -> Inflated {
        guard let inflater = messageInflater() else { throw .outOfMemory }
        let honestBytes = message.count * Self.readPastRatio
        let skipLimit = min(limits.skippedBytes, max(honestBytes, readPastBytes))
        let outcome = unsafe try inflater.inflate(
            message, into: pool.inflated, keepLimit: limits.messageBytes, skipLimit: skipLimit)
        switch outcome {
        case .oversized(let byteCount):
            if byteCount > honestBytes { readPastBytes -= byteCount }
            return unsafe .oversized(byteCount: byteCount)
        case .whole(let byteCount):
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: pool.inflated.bytes[..<byteCount])
            if isText {
                var validator = UTF8Validator()
                guard unsafe validator.validate(bytes), validator.isComplete else { throw .invalidUTF8 }
            }
            return unsafe .whole(bytes)
        }
    }

    private func messageInflater() -> MessageInflater? {
        guard parameters.keepsClientContext else { return pool.freshInflater() }
        if inflater == nil {
            inflater = MessageInflater(windowBits: parameters.clientWindowBits, memory: pool.memory)
        }
        return inflater
    }
}
