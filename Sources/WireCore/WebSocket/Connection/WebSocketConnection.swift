// WebSocketConnection: one side of an open WebSocket, from the opening handshake to the end of the closing one.
// Spec: RFC 6455 §5.5, §7

/// What a connection has to tell its owner.
///
/// Trivial on purpose: no reference counting and no destroying for each frame.
@unsafe
public enum WebSocketEvent {
    /// A complete message that came in parts, in several frames or reads: `takeAssembled` hands it over.
    case assembled(isText: Bool, isCompressed: Bool)

    /// The WebSocket is over; `transport` says what to do with the TCP connection. Comes exactly once.
    case closed(WebSocketClosure)

    /// A complete message in the read buffer. It dies with the next read.
    case message(WebSocketMessage)

    /// A message over the limit was read past; the connection goes on.
    case oversized(isText: Bool, byteCount: Int)

    /// A pong: the peer is alive.
    case pong
}

/// One side of an open WebSocket as a pure state machine: bytes in, events and bytes out.
///
///     state     input                          output                 next
///     open      message, pong                  event                  open
///     open      ping                           pong                   open
///     open      close frame                    close frame, event     finished
///     open      broken rule, deadline          close frame, event     finished
///     open      close(_:)                      close frame            closing
///     closing   message, ping, pong            -                      closing
///     closing   close frame, deadline          event                  finished
///     any       end of input                   event unless finished  finished
///     finished  anything                       -                      finished
///
/// Bytes to send are appended to a buffer of the caller, so that one write serves a whole batch. Time comes in as
/// `now`, monotonic since any fixed point; only control frames and cut-off messages look at it. Not thread safe: owned
/// by one shard.
public struct WebSocketConnection: Sendable {
    private enum Phase: UInt8 {
        case open
        case closing
        case finished
    }

    /// When `deadlinePassed` wants to be called: the end of the wait for a cut-off message, or for the peer's close
    /// frame.
    ///
    /// Nil when nothing is waited for. May change with every call.
    public private(set) var deadline: Duration?

    /// Whether earlier output still waits for the socket.
    ///
    /// While true, pings are not answered one by one: only the newest is kept (RFC 6455 §5.5.3), and `flushPong`
    /// answers it. The owner sets it when a write was short, so a peer that never reads cannot pile up pongs.
    public var isOutputBlocked = false

    private var phase = Phase.open
    private var reader: WebSocketReader
    private var budget = ControlBudget()
    private var maskSeed: UInt64
    private var pendingPong: [UInt8]?
    private var peerReason: [UInt8] = []
    private var sentCode = CloseCode.noStatus

    /// A connection right after the opening handshake.
    ///
    /// `maskSeed` is only used by a client, whose frames are masked; it draws a fresh one from the system's random
    /// numbers for each connection, since masks must not be foreseeable (RFC 6455 §10.3).
    public init(
        role: WebSocketReader.Role = .server, limits: WebSocketLimits = WebSocketLimits(), maskSeed: UInt64 = 0
    ) {
        reader = WebSocketReader(role: role, limits: limits)
        self.maskSeed = maskSeed
    }

    /// Whether messages may be sent: no close frame was sent or received, and no rule broken.
    public var isOpen: Bool { phase == .open }

    /// What the owner of the TCP connection has to do now.
    public func transport(_ limits: WebSocketLimits) -> TransportStep {
        switch phase {
        case .open: .proceed
        case .closing: .awaitPeerClose
        case .finished: .finish(drain: limits.drainWait)
        }
    }

    /// The text of the peer's close frame; empty before it came, and when it had none.
    ///
    /// It is the peer's data: never a part of a log line without escaping.
    public var closeReason: String { String(decoding: peerReason, as: UTF8.self) }

    // MARK: - Inputs

    /// Reads up to the next event; nil when `input` is used up.
    ///
    /// Call it in a loop.
    ///
    /// The loop may stop early, at any event; `input.unread` then holds the rest, untouched. Replies (pongs, close
    /// frames) are appended to `output`.
    public mutating func next(
        _ input: inout WebSocketInput, now: Duration, limits: WebSocketLimits, output: inout [UInt8]
    ) -> WebSocketEvent? {
        do throws(WebSocketError) {
            while let event = unsafe try reader.next(&input) {
                if deadline != nil, phase == .open, !reader.isMidMessage { deadline = nil }
                switch unsafe event {
                case .message(let message):
                    if phase == .open { return unsafe .message(message) }
                case .assembled(let isText, let isCompressed):
                    if phase == .open { return unsafe .assembled(isText: isText, isCompressed: isCompressed) }
                case .oversized(let isText, let byteCount):
                    if phase == .open { return unsafe .oversized(isText: isText, byteCount: byteCount) }
                case .control(let opcode):
                    if let event = unsafe try receiveControl(opcode, now: now, limits: limits, output: &output) {
                        return unsafe event
                    }
                }
            }
            try watchAssembly(now: now, limits: limits)
            return nil
        } catch {
            guard phase != .finished else { return nil }
            return unsafe .closed(end(by: error, output: &output))
        }
    }

    /// Hands over the message of the last `.assembled` event.
    ///
    /// Call it before the next `next`, which drops the message.
    public mutating func takeAssembled() -> [UInt8] {
        reader.takeAssembled()
    }

    /// Tells the connection that `deadline` has passed.
    ///
    /// Does nothing when called early.
    public mutating func deadlinePassed(now: Duration, output: inout [UInt8]) -> WebSocketEvent? {
        guard let due = deadline, now >= due else { return nil }
        switch phase {
        case .open:
            return unsafe .closed(end(by: .messageTooSlow, output: &output))
        case .closing:
            finish()
            return unsafe .closed(WebSocketClosure(code: sentCode, cause: .local))
        case .finished:
            return nil
        }
    }

    /// Tells the connection that the peer's side of the TCP connection has ended, by its end or an error.
    public mutating func endOfInput() -> WebSocketEvent? {
        guard phase != .finished else { return nil }
        finish()
        return unsafe .closed(WebSocketClosure(code: .abnormal, cause: .vanished))
    }

    /// Begins the closing handshake.
    ///
    /// Nothing can be sent after it. Does nothing unless open.
    ///
    /// A code that must not stand in a frame is sent as 1000; a reason over 123 bytes is cut on a character's border.
    public mutating func close(
        _ code: CloseCode, reason: String = "", now: Duration, limits: WebSocketLimits, output: inout [UInt8]
    ) {
        guard phase == .open else { return }
        sentCode = code.mayBeSent ? code : .normal
        appendClose(sentCode, reason: reason, to: &output)
        phase = .closing
        pendingPong = nil
        deadline = now + limits.closeWait
    }

    // MARK: - Sending

    /// Appends a text message whose payload `body` writes straight into the output.
    ///
    /// Returns false, without calling `body`, when no message may be sent any more.
    @discardableResult
    public mutating func sendText(to output: inout [UInt8], _ body: (inout [UInt8]) -> Void) -> Bool {
        guard phase == .open else { return false }
        let mark = FrameWriter.begin(.text, maskingKey: nextMaskingKey(), in: &output)
        body(&output)
        FrameWriter.end(mark, in: &output)
        return true
    }

    /// Appends a whole message.
    ///
    /// Returns false when no message may be sent any more.
    @discardableResult
    public mutating func send(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, to output: inout [UInt8]
    ) -> Bool {
        guard phase == .open, !opcode.isControl else { return false }
        unsafe FrameWriter.append(opcode, maskingKey: nextMaskingKey(), payload: payload, to: &output)
        return true
    }

    /// Appends a text message that `body` writes, compressed if that pays.
    ///
    /// Returns false, without calling `body`, when no message may be sent any more.
    @discardableResult
    public mutating func sendText(
        to output: inout [UInt8], by compression: MessageCompression, now: Duration, _ body: (inout [UInt8]) -> Void
    ) -> Bool {
        guard phase == .open else { return false }
        compression.append(.text, maskingKey: nextMaskingKey(), now: now, to: &output, body)
        return true
    }

    /// Appends a whole message, compressed if that pays.
    ///
    /// Returns false when no message may be sent any more.
    @discardableResult
    public mutating func send(
        _ opcode: Opcode, _ payload: UnsafeRawBufferPointer, to output: inout [UInt8],
        by compression: MessageCompression, now: Duration
    ) -> Bool {
        guard phase == .open, !opcode.isControl else { return false }
        unsafe compression.append(opcode, payload, maskingKey: nextMaskingKey(), now: now, to: &output)
        return true
    }

    /// Appends a frame that many connections get; without `compression` in its uncompressed form.
    ///
    /// Only for a server, whose frames carry no mask. Returns false when no message may be sent any more.
    @discardableResult
    public mutating func send(
        _ frame: SharedFrame, to output: inout [UInt8], by compression: MessageCompression?
    ) -> Bool {
        guard phase == .open, reader.role == .server else { return false }
        if let compression {
            compression.append(frame, to: &output)
        } else {
            output.append(contentsOf: frame.plain)
        }
        return true
    }

    /// Appends a ping with at most 125 bytes of payload; more is cut.
    ///
    /// Returns false when the connection is not open.
    @discardableResult
    public mutating func ping(_ payload: [UInt8] = [], to output: inout [UInt8]) -> Bool {
        guard phase == .open else { return false }
        let cut = [UInt8](payload.prefix(FrameHeader.maximumControlPayload))
        FrameWriter.append(.ping, maskingKey: nextMaskingKey(), payload: cut, to: &output)
        return true
    }

    /// Appends the pong that waited while the output was blocked.
    ///
    /// Call it when the socket took everything.
    public mutating func flushPong(to output: inout [UInt8]) {
        guard let payload = pendingPong, phase == .open else { return }
        pendingPong = nil
        FrameWriter.append(.pong, maskingKey: nextMaskingKey(), payload: payload, to: &output)
    }

    /// Lets RSV1 mark compressed messages, after permessage-deflate was negotiated.
    public mutating func allowCompression() {
        reader.allowsCompression = true
    }

    /// Ends the connection because of a fault in a message that it handed over, as a compressed one that does not
    /// inflate.
    ///
    /// Nil when it has ended already.
    public mutating func fail(_ error: WebSocketError, output: inout [UInt8]) -> WebSocketEvent? {
        guard phase != .finished else { return nil }
        return unsafe .closed(end(by: error, output: &output))
    }

    /// Bytes of user memory held beside the struct itself.
    package var heldByteCount: Int { reader.heldByteCount + (pendingPong?.capacity ?? 0) }

    // MARK: - Control frames

    private mutating func receiveControl(
        _ opcode: Opcode, now: Duration, limits: WebSocketLimits, output: inout [UInt8]
    ) throws(WebSocketError) -> WebSocketEvent? {
        let payload = reader.takeControl()
        if opcode == .close { return unsafe .closed(try receiveClose(payload, output: &output)) }
        guard budget.spend(now: now, limits: limits) else { throw .controlFlood }
        // After our close frame nothing more is sent, so that it is the last that the peer sees.
        guard phase == .open else { return nil }
        if opcode == .pong { return unsafe .pong }
        if isOutputBlocked {
            pendingPong = payload
        } else {
            FrameWriter.append(.pong, maskingKey: nextMaskingKey(), payload: payload, to: &output)
        }
        return nil
    }

    private mutating func receiveClose(
        _ payload: [UInt8], output: inout [UInt8]
    ) throws(WebSocketError) -> WebSocketClosure {
        var code = CloseCode.noStatus
        if payload.count == 1 { throw .closePayloadTooShort }
        if payload.count >= 2 {
            code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
            guard code.mayBeSent else { throw .invalidCloseCode(code) }
        }
        let text = [UInt8](payload.dropFirst(2))
        var validator = UTF8Validator()
        guard validator.validate(text), validator.isComplete else { throw .invalidUTF8 }
        let wasOpen = phase == .open
        if wasOpen {
            // RFC 6455 §5.5.1: answer with the code that was received.
            FrameWriter.append(
                .close, maskingKey: nextMaskingKey(), payload: [UInt8](payload.prefix(2)), to: &output)
        }
        finish()
        peerReason = text
        return WebSocketClosure(code: code, cause: wasOpen ? .peer : .local)
    }

    /// RFC 6455 §7.1.7: tells the peer why, unless a close frame was sent already, and ends.
    private mutating func end(by error: WebSocketError, output: inout [UInt8]) -> WebSocketClosure {
        if phase == .open { appendClose(error.closeCode, reason: error.text, to: &output) }
        finish()
        return WebSocketClosure(code: error.closeCode, cause: .violation(error))
    }

    private mutating func finish() {
        phase = .finished
        deadline = nil
        pendingPong = nil
        reader.stop()
    }

    /// Sets, keeps or clears the deadline of a message that the end of the input cut off.
    private mutating func watchAssembly(now: Duration, limits: WebSocketLimits) throws(WebSocketError) {
        guard phase == .open else { return }
        guard reader.isMidMessage else {
            deadline = nil
            return
        }
        if let due = deadline {
            guard now < due else { throw .messageTooSlow }
        } else {
            deadline = now + limits.assemblyTime
        }
    }

    private mutating func appendClose(_ code: CloseCode, reason: String, to output: inout [UInt8]) {
        var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
        payload.append(contentsOf: Self.cut(reason))
        FrameWriter.append(.close, maskingKey: nextMaskingKey(), payload: payload, to: &output)
    }

    /// The reason's first bytes, at most 123, cut where a character ends.
    private static func cut(_ reason: String) -> [UInt8] {
        let bytes = [UInt8](reason.utf8)
        var end = min(bytes.count, FrameHeader.maximumControlPayload - 2)
        while end > 0, end < bytes.count, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return [UInt8](bytes[..<end])
    }

    /// A server's frames have no key.
    ///
    /// A client's come from SplitMix64 over the seed.
    private mutating func nextMaskingKey() -> UInt32? {
        guard reader.role == .client else { return nil }
        maskSeed &+= 0x9E37_79B9_7F4A_7C15
        var mixed = maskSeed
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return UInt32(truncatingIfNeeded: mixed ^ (mixed >> 31))
    }
}
