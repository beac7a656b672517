// WebSocketChannel: a connection that speaks WebSocket.
// Source: RFC 6455; liveness as docs/protocol.md §3

public import NetIO
public import WireCore

/// A connection that speaks WebSocket: carries messages between the wire and an application, keeps the connection alive
/// and closes it in order.
///
/// Confined to its shard.
public final class WebSocketChannel: ConnectionHandler {
    private let tcp: Connection
    private let application: any WebSocketApplication
    private let limits: TransportLimits
    // Not checked at run time for overlapping accesses, which costs more than reading a frame: what runs while the state
    // machine is at work writes into a buffer or asks for the time, and never comes back here.
    @exclusivity(unchecked) private var socket: WebSocketConnection
    @exclusivity(unchecked) private var compression: MessageCompression?
    private var lastHeard: Duration
    private var isPinged = false
    private var isOver = false
    private var isEncoderWatched = false
    private var timer: (id: Shard.TimerID, due: Duration)?
    private let ended: () -> Void

    /// The other end's address.
    public var peer: PeerAddress { tcp.peer }

    /// Bytes sent and not yet with the kernel.
    public var queuedByteCount: Int { tcp.queuedByteCount }

    /// Whether the kernel refused bytes and has not taken them all since.
    public var isBlocked: Bool { tcp.isBlocked }

    /// Bytes that the kernel has taken in all.
    public var takenByteCount: UInt64 { tcp.takenByteCount }

    /// Whether messages may be sent.
    public var isOpen: Bool { socket.isOpen && !tcp.isClosed }

    init(
        _ connection: Connection, application: any WebSocketApplication, limits: TransportLimits,
        compression: MessageCompression? = nil, on shard: isolated Shard, ended: @escaping () -> Void
    ) {
        tcp = connection
        self.application = application
        self.ended = ended
        self.compression = compression
        var limits = limits
        // A client's context lives in every message: after one that was not inflated none of the next can be.
        if compression?.parameters.keepsClientContext == true { limits.webSocket.skippedBytes = 0 }
        self.limits = limits
        socket = WebSocketConnection(limits: limits.webSocket)
        if compression != nil { socket.allowCompression() }
        lastHeard = .nanoseconds(shard.now)
        wake(at: lastHeard + limits.pingAfter, on: shard)
    }

    // MARK: Sending

    /// Sends a text message whose payload `body` writes straight into the write buffer.
    ///
    /// `compressed` false keeps it out of the client's window, for what no other message may be guessed against. False
    /// when the WebSocket is no longer open; `body` is not called then.
    @discardableResult
    public func sendText(
        on shard: isolated Shard, compressed: Bool = true, _ body: (inout [UInt8]) -> Void
    ) -> Bool {
        var isSent = false
        guard compressed, let compression else {
            tcp.write(on: shard) { isSent = socket.sendText(to: &$0, body) }
            return isSent
        }
        tcp.write(on: shard) {
            isSent = socket.sendText(to: &$0, by: compression, now: .nanoseconds(shard.now), body)
        }
        if isSent { watchEncoder(on: shard) }
        return isSent
    }

    /// Sends a whole message, text or binary.
    ///
    /// The caller vouches that text is UTF-8. False when the WebSocket is no longer open.
    @discardableResult
    package func send(_ bytes: Span<UInt8>, isText: Bool, on shard: isolated Shard) -> Bool {
        let opcode: Opcode = isText ? .text : .binary
        var isSent = false
        guard let compression else {
            tcp.write(on: shard) { output in
                isSent = bytes.withUnsafeBytes { socket.send(opcode, $0, to: &output) }
            }
            return isSent
        }
        tcp.write(on: shard) { output in
            isSent = bytes.withUnsafeBytes {
                socket.send(opcode, $0, to: &output, by: compression, now: .nanoseconds(shard.now))
            }
        }
        if isSent { watchEncoder(on: shard) }
        return isSent
    }

    /// Sends a message that was encoded once for many connections.
    ///
    /// False when the WebSocket is no longer open.
    @discardableResult
    package func send(_ frame: SharedFrame, on shard: isolated Shard) -> Bool {
        guard isOpen else { return false }
        tcp.write(on: shard) { socket.send(frame, to: &$0, by: compression) }
        return true
    }

    /// Begins the closing handshake; nothing can be sent after it.
    public func close(_ code: CloseCode, reason: String, on shard: isolated Shard) {
        guard isOpen else { return }
        tcp.write(on: shard) {
            socket.close(code, reason: reason, now: .nanoseconds(shard.now), limits: limits.webSocket, output: &$0)
        }
        watchDeadline(on: shard)
    }

    // MARK: Receiving

    /// Called by the connection.
    public func connection(
        _ connection: Connection, received bytes: UnsafeMutableRawBufferPointer, on shard: isolated Shard
    ) {
        let now = Duration.nanoseconds(shard.now)
        lastHeard = now
        if isPinged {
            // The timer waits for the end of the pong's time, which may be later than the next ping.
            isPinged = false
            wake(at: now + limits.pingAfter, on: shard)
        }
        socket.isOutputBlocked = connection.isBlocked
        var input = WebSocketInput(bytes)
        // Pongs and close frames go through a buffer of their own: the application may write to the connection while
        // an event is handled, and its place is behind them.
        var replies: [UInt8] = []
        // Read out once: it would be copied for each frame.
        let limits = limits.webSocket
        while let event = socket.next(&input, now: now, limits: limits, output: &replies) {
            flush(&replies, on: shard)
            handle(event, on: shard)
        }
        flush(&replies, on: shard)
        if socket.deadline != nil { watchDeadline(on: shard) }
    }

    private func handle(_ event: WebSocketEvent, on shard: isolated Shard) {
        switch event {
        case .message(let message):
            if message.isCompressed { return inflate(message.bytes, isText: message.isText, on: shard) }
            deliver(message.bytes, isText: message.isText, on: shard)
        case .assembled(let isText, let isCompressed):
            socket.takeAssembled().withUnsafeBytes {
                if isCompressed { return inflate($0, isText: isText, on: shard) }
                deliver($0, isText: isText, on: shard)
            }
        case .oversized(let isText, let byteCount):
            application.receivedOversized(byteCount: byteCount, isText: isText, from: self, on: shard)
        case .pong:
            break
        case .closed(let closure):
            tell(closure, on: shard)
            if case .finish(let drain) = socket.transport(limits.webSocket) { tcp.finish(within: drain, on: shard) }
        }
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer, isText: Bool, on shard: isolated Shard) {
        if isText {
            application.received(Span(_unsafeBytes: bytes), from: self, on: shard)
        } else {
            application.receivedBinary(Span(_unsafeBytes: bytes), from: self, on: shard)
        }
    }

    private func inflate(_ bytes: UnsafeRawBufferPointer, isText: Bool, on shard: isolated Shard) {
        // RSV1 is only let through after the agreement.
        guard let compression else { return }
        do throws(WebSocketError) {
            switch try compression.inflate(bytes, isText: isText, limits: limits.webSocket) {
            case .whole(let message): deliver(message, isText: isText, on: shard)
            case .oversized(let byteCount):
                application.receivedOversized(byteCount: byteCount, isText: isText, from: self, on: shard)
            }
        } catch {
            var replies: [UInt8] = []
            guard let event = socket.fail(error, output: &replies) else { return }
            flush(&replies, on: shard)
            handle(event, on: shard)
        }
    }

    private func flush(_ replies: inout [UInt8], on shard: isolated Shard) {
        guard !replies.isEmpty else { return }
        tcp.write(on: shard) { $0 += replies }
        replies.removeAll(keepingCapacity: true)
    }

    /// Called by the connection.
    public func connectionDrained(_ connection: Connection, on shard: isolated Shard) {
        socket.isOutputBlocked = false
        var replies: [UInt8] = []
        socket.flushPong(to: &replies)
        flush(&replies, on: shard)
        application.drained(self, on: shard)
    }

    /// Called by the connection.
    public func connectionEnded(_ connection: Connection, _ end: ConnectionEnd, on shard: isolated Shard) {
        if let timer { shard.cancel(timer.id) }
        timer = nil
        compression = nil
        if case .closed(let closure)? = socket.endOfInput() { tell(closure, on: shard) }
        ended()
    }

    private func tell(_ closure: WebSocketClosure, on shard: isolated Shard) {
        guard !isOver else { return }
        isOver = true
        application.closed(self, closure, on: shard)
    }

    // MARK: Time

    /// One timer serves liveness and the protocol's own deadline: it sleeps until the nearer of the two and looks then
    /// what is due, so that a message costs no timer.
    private func wake(at due: Duration, on shard: isolated Shard) {
        if let timer {
            guard due < timer.due else { return }
            shard.cancel(timer.id)
        }
        let wait = max(.zero, due - .nanoseconds(shard.now))
        // Holds the channel until it fires or the connection ends, which stops it. A weak reference would make every
        // later retain and release of the channel take the slow path.
        let id = shard.schedule(after: wait) {
            self.timer = nil
            self.look(on: shard)
        }
        timer = (id, due)
    }

    private func watchDeadline(on shard: isolated Shard) {
        if let deadline = socket.deadline { wake(at: deadline, on: shard) }
    }

    /// Looks again when the encoder that was just made may have been idle for long enough.
    private func watchEncoder(on shard: isolated Shard) {
        guard !isEncoderWatched, let due = compression?.idleDeadline else { return }
        isEncoderWatched = true
        wake(at: due, on: shard)
    }

    private func look(on shard: isolated Shard) {
        let now = Duration.nanoseconds(shard.now)
        var replies: [UInt8] = []
        if let event = socket.deadlinePassed(now: now, output: &replies) {
            flush(&replies, on: shard)
            handle(event, on: shard)
            return
        }
        watchDeadline(on: shard)
        guard socket.isOpen else { return }
        compression?.releaseIdle(now: now)
        isEncoderWatched = false
        watchEncoder(on: shard)
        let silence = now - lastHeard
        if silence >= limits.pingAfter + limits.pongWait {
            // No close frame: nobody is there to answer it, and the session is kept for a resume.
            tcp.abort(on: shard)
        } else if silence >= limits.pingAfter {
            if !isPinged {
                isPinged = true
                socket.ping(to: &replies)
                flush(&replies, on: shard)
            }
            wake(at: lastHeard + limits.pingAfter + limits.pongWait, on: shard)
        } else {
            wake(at: lastHeard + limits.pingAfter, on: shard)
        }
    }
}
