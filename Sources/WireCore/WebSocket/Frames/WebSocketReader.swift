// WebSocketReader: turns received bytes into messages and control frames.
// Spec: RFC 6455 §5, §8.1

/// What a reader found.
///
/// Trivial on purpose: no reference counting and no destroying for each frame.
@unsafe
public enum WebSocketReaderEvent {
    /// A complete message that came in parts: `takeAssembled` hands it over.
    case assembled(isText: Bool, isCompressed: Bool)

    /// A control frame: `takeControl` hands over its payload.
    case control(Opcode)

    /// A complete message in the read buffer.
    case message(WebSocketMessage)

    /// The end of a message over the limit, of which nothing was kept.
    case oversized(isText: Bool, byteCount: Int)
}

/// Turns received bytes into messages and control frames.
///
/// Goal: no memory for a message that lies whole in the read buffer, and at most the message limit for any other.
/// Plan: parse in place; unmask in place; hand out views; copy only a header or payload that the buffer cuts off.
/// Cost: O(bytes), whatever the splits; the same bytes in any split give the same events and the same error.
public struct WebSocketReader: Sendable {
    /// Which side this reader is on, which decides whether frames must be masked.
    public enum Role: Sendable, Hashable {
        /// Reads what a server sends: frames must not be masked.
        case client

        /// Reads what a client sends: frames must be masked.
        case server
    }

    /// Whether RSV1 may be set on the first frame of a message.
    ///
    /// False until permessage-deflate is negotiated.
    public var allowsCompression = false

    /// The side this reader is on.
    public let role: Role

    private let messageLimit: Int
    private let skipLimit: Int
    private let fragmentLimit: Int

    /// The start of a header that the last read cut off; at most 13 bytes wait here.
    private var stash: InlineArray<14, UInt8> = InlineArray(repeating: 0)
    private var stashed: UInt8 = 0

    /// Whether the header in `frame…` is read and its payload is not complete.
    private var isInPayload = false
    private var hasFailed = false

    /// Whether `assembled` is a whole message that waits to be taken.
    private var isAssembledWhole = false

    /// First byte of the message under way; 0 outside a message.
    private var messageFirst: UInt8 = 0
    private var frameFirst: UInt8 = 0
    private var utf8 = UTF8Validator()
    private var fragments: Int32 = 0
    private var frameKey: UInt32 = 0
    private var frameRest = 0
    private var framePhase = 0
    private var assembled: [UInt8] = []

    /// Bytes of the message under way that were read past, once it is known to be over the limit; nil before.
    private var skipped: Int?
    private var control: [UInt8] = []

    /// A reader at the first byte after the opening handshake.
    public init(role: Role, limits: WebSocketLimits = WebSocketLimits()) {
        self.role = role
        messageLimit = max(0, limits.messageBytes)
        skipLimit = max(messageLimit, limits.skippedBytes)
        fragmentLimit = min(max(1, limits.fragments), Int(Int32.max) - 1)
    }

    /// Whether a frame or a fragmented message has begun and not ended.
    public var isMidMessage: Bool { stashed != 0 || isInPayload || messageFirst != 0 }

    /// Bytes of user memory held beside the struct itself.
    package var heldByteCount: Int { assembled.capacity + control.capacity }

    /// Reads up to the next event.
    ///
    /// Returns nil when `input` is used up.
    ///
    /// An error is thrown once; everything after it is discarded. A view in the event is valid until the memory under
    /// `input` is used again.
    public mutating func next(_ input: inout WebSocketInput) throws(WebSocketError) -> WebSocketReaderEvent? {
        if isAssembledWhole { _ = takeAssembled() }
        guard !hasFailed else {
            unsafe input.discard()
            return nil
        }
        do {
            return unsafe try advance(&input)
        } catch {
            stop()
            unsafe input.discard()
            throw error
        }
    }

    /// Hands over the message of the last `.assembled` event.
    ///
    /// Call it before the next `next`, which drops the message.
    public mutating func takeAssembled() -> [UInt8] {
        guard isAssembledWhole else { return [] }
        isAssembledWhole = false
        let whole = assembled
        assembled = []
        return whole
    }

    /// Hands over the payload of the last `.control` event: at most 125 bytes.
    public mutating func takeControl() -> [UInt8] {
        let payload = control
        control = []
        return payload
    }

    /// Discards everything from here on, as after an error.
    ///
    /// A message that waits to be taken stays.
    public mutating func stop() {
        hasFailed = true
        if !isAssembledWhole { assembled = [] }
        control = []
    }

    @inline(__always)
    private mutating func advance(_ input: inout WebSocketInput) throws(WebSocketError) -> WebSocketReaderEvent? {
        while true {
            if !isInPayload {
                let header = unsafe try readHeader(&input)
                guard header.byteCount != 0 else { return nil }
                if unsafe header.payloadLength <= input.available, header.isFinal, header.opcode != .continuation,
                    header.payloadLength <= messageLimit
                {
                    return unsafe try wholeFrame(header, &input)
                }
                begin(header)
            }
            if let event = unsafe try readPayload(&input) { return unsafe event }
            if isInPayload { return nil }
        }
    }

    // MARK: - Headers

    @inline(__always)
    private mutating func readHeader(_ input: inout WebSocketInput) throws(WebSocketError) -> FrameHeader {
        guard stashed == 0 else { return unsafe try readStashedHeader(&input) }
        let header = unsafe try parse(input.unread)
        if header.byteCount != 0 {
            _ = unsafe input.take(header.byteCount)
        } else {
            while unsafe !input.isEmpty {
                stash[Int(stashed)] = unsafe input.take(1)[0]
                stashed += 1
            }
        }
        return header
    }

    /// Goes on with a header whose first bytes came in an earlier read, a byte at a time: it has at most 14.
    @inline(never)
    private mutating func readStashedHeader(_ input: inout WebSocketInput) throws(WebSocketError) -> FrameHeader {
        while unsafe !input.isEmpty {
            stash[Int(stashed)] = unsafe input.take(1)[0]
            stashed += 1
            let copy = stash
            let header = unsafe try withUnsafeBytes(of: copy) { bytes throws(WebSocketError) in
                unsafe try parse(UnsafeRawBufferPointer(rebasing: bytes[..<Int(stashed)]))
            }
            if header.byteCount != 0 {
                stashed = 0
                return header
            }
        }
        return .incomplete
    }

    /// Parses a header and checks every rule on as few bytes as the rule needs, so that a split changes no verdict.
    @inline(__always)
    private func parse(_ bytes: UnsafeRawBufferPointer) throws(WebSocketError) -> FrameHeader {
        guard bytes.count >= 2 else { return .incomplete }
        let first = unsafe bytes[0]
        let second = unsafe bytes[1]
        try checkOpening(first, second)
        guard let length = unsafe try FrameHeader.payloadLength(in: bytes) else { return .incomplete }
        if first & 0x08 == 0 {
            // What was kept or skipped never passes its limit, so the difference is not negative.
            guard length <= skipLimit - (skipped ?? assembled.count) else { throw .messageTooBig(limit: messageLimit) }
        }
        return unsafe FrameHeader.read(bytes, payloadLength: length)
    }

    @inline(__always)
    private func checkOpening(_ first: UInt8, _ second: UInt8) throws(WebSocketError) {
        // RFC 6455 §5.1: a client masks every frame, a server none.
        guard (second & 0x80 != 0) == (role == .server) else { throw .wrongMasking }
        let opcode = Opcode(rawValue: first & 0x0F)
        guard opcode.isKnown else { throw .reservedOpcode(opcode) }
        let mayCompress = allowsCompression && !opcode.isControl && opcode != .continuation
        guard first & (mayCompress ? 0x30 : 0x70) == 0 else { throw .reservedBits }
        if opcode.isControl {
            // RFC 6455 §5.5
            guard first & 0x80 != 0 else { throw .fragmentedControl }
            guard second & 0x7F <= 125 else { throw .controlTooBig }
        } else {
            // RFC 6455 §5.4
            if opcode == .continuation {
                guard messageFirst != 0 else { throw .unexpectedContinuation }
            } else {
                guard messageFirst == 0 else { throw .expectedContinuation }
            }
            guard Int(fragments) < fragmentLimit else { throw .tooManyFragments(limit: fragmentLimit) }
        }
    }

    // MARK: - Payloads

    /// A frame that is a whole message or control frame and lies whole in the read buffer: a message is not copied.
    @inline(__always)
    private mutating func wholeFrame(
        _ header: FrameHeader, _ input: inout WebSocketInput
    ) throws(WebSocketError) -> WebSocketReaderEvent {
        let bytes = unsafe input.take(header.payloadLength)
        // A server's frames have no key, and XOR with 0 is the cheapest way to have one code path.
        let seen = unsafe FrameMask.apply(header.maskingKey, to: bytes)
        if header.opcode.isControl {
            control = unsafe [UInt8](bytes)
            return unsafe .control(header.opcode)
        }
        let isText = header.opcode == .text
        let view = UnsafeRawBufferPointer(bytes)
        if isText, !header.hasReservedBit1, seen & FrameMask.nonASCII != 0 {
            var validator = UTF8Validator()
            guard unsafe validator.validate(view), validator.isComplete else { throw .invalidUTF8 }
        }
        return unsafe .message(WebSocketMessage(isText: isText, isCompressed: header.hasReservedBit1, bytes: view))
    }

    private mutating func begin(_ header: FrameHeader) {
        isInPayload = true
        frameFirst = header.first
        frameKey = header.maskingKey
        frameRest = header.payloadLength
        framePhase = 0
        guard !header.opcode.isControl else { return }
        fragments += 1
        if header.opcode != .continuation {
            messageFirst = header.first | 0x80
            utf8 = UTF8Validator()
        }
        if skipped == nil, frameRest > messageLimit - assembled.count {
            skipped = assembled.count
            assembled = []
        }
    }

    /// Takes what there is of the frame under way.
    ///
    /// Returns an event when the frame ends a message or is a control frame.
    private mutating func readPayload(_ input: inout WebSocketInput) throws(WebSocketError) -> WebSocketReaderEvent? {
        let count = unsafe min(frameRest, input.available)
        let bytes = unsafe input.take(count)
        if let skipped, frameFirst & 0x08 == 0 { return unsafe skip(count, after: skipped) }
        _ = unsafe FrameMask.apply(frameKey, phase: framePhase, to: bytes)
        frameRest -= count
        framePhase = (framePhase + count) & 3
        let opcode = Opcode(rawValue: frameFirst & 0x0F)
        if opcode.isControl {
            unsafe control.append(contentsOf: bytes)
            isInPayload = frameRest != 0
            return unsafe isInPayload ? nil : .control(opcode)
        }
        let isText = messageFirst & 0x0F == Opcode.text.rawValue
        let isCompressed = messageFirst & 0x40 != 0
        if isText, !isCompressed {
            guard unsafe utf8.validate(UnsafeRawBufferPointer(bytes)) else { throw .invalidUTF8 }
        }
        unsafe assembled.append(contentsOf: bytes)
        isInPayload = frameRest != 0
        guard !isInPayload, frameFirst & 0x80 != 0 else { return nil }
        guard isCompressed || !isText || utf8.isComplete else { throw .invalidUTF8 }
        messageFirst = 0
        fragments = 0
        isAssembledWhole = true
        return unsafe .assembled(isText: isText, isCompressed: isCompressed)
    }

    /// Reads past a part of a message over the limit; its end is an event.
    private mutating func skip(_ count: Int, after earlier: Int) -> WebSocketReaderEvent? {
        frameRest -= count
        isInPayload = frameRest != 0
        guard !isInPayload, frameFirst & 0x80 != 0 else {
            skipped = earlier + count
            return nil
        }
        let isText = messageFirst & 0x0F == Opcode.text.rawValue
        skipped = nil
        messageFirst = 0
        fragments = 0
        return unsafe .oversized(isText: isText, byteCount: earlier + count)
    }
}
