// Connection: one TCP connection on its shard, plain or with TLS.
// Spec: docs/architecture.md (connections), docs/tls.md

internal import CLinux
internal import Glibc

/// One TCP connection on its shard: reads into the shard's buffer, sends once a batch, closes so that the peer sees
/// what was sent last.
///
/// With TLS its handler sees and writes plaintext all the same. Confined to its shard: every method takes the shard that
/// owns it. An idle connection holds no buffer.
public final class Connection: DescriptorHandler {
    private enum State {
        /// Both ways.
        case open
        /// Our side is to be shut when the output is sent.
        case finishing
        /// Our side is shut; what the peer still sends is read and dropped, so that closing does not reset.
        case draining
        case closed
    }

    /// The socket; private to this object, closed only by it.
    let descriptor: Int32
    /// The peer's address, numeric.
    public let peer: PeerAddress
    /// What it tells.
    @exclusivity(unchecked) public var handler: (any ConnectionHandler)?
    /// Most bytes that may wait for a peer that does not read; more ends the connection.
    ///
    /// Default 1 MiB, the send queue of docs/protocol.md §10.
    public var queueLimit = 1_048_576
    private var token: DescriptorToken?
    private var state = State.open
    /// What the handler wrote; with TLS plaintext that is encrypted as the kernel takes it.
    // Accesses to what every message touches are not checked at run time, which would cost a quarter of an echo. One
    // shard alone gets here, and what runs while a buffer is lent only appends to it.
    @exclusivity(unchecked) private var output: [UInt8] = []
    /// How much of it is with the kernel, or encrypted.
    private var sent = 0
    private var tls: TLSSession?
    /// How the connection ends when the peer has closed too, if not by our `finish`.
    private var failure: ConnectionEnd?
    private var isDirty = false
    private var wantsWritable = false
    /// Whether more was written than may wait; the connection ends with the next flush.
    private var isOverflowed = false
    /// Whether the peer has shut its side while it still gets what it asked for.
    private var hasReadEnd = false
    private var lingerTimer: Shard.TimerID?

    /// Bytes written and not yet with the kernel.
    public var queuedByteCount: Int { output.count - sent + (tls?.ciphertextByteCount ?? 0) }

    /// Bytes that the kernel has taken in all, over TLS ciphertext; shows whether a slow reader gets on.
    @exclusivity(unchecked) public private(set) var takenByteCount: UInt64 = 0

    /// Whether the kernel refused bytes and has not taken them all since.
    public var isBlocked: Bool { wantsWritable }

    /// Whether nothing more can be written.
    public var isClosed: Bool { state != .open || isOverflowed }

    init(descriptor: Int32, peer: PeerAddress, tls: TLSSession? = nil) {
        self.descriptor = descriptor
        self.peer = peer
        self.tls = tls
    }

    deinit {
        if state != .closed { Glibc.close(descriptor) }
    }

    func start(on shard: isolated Shard) throws(NetError) {
        token = try shard.register(descriptor, for: .readable, handler: self)
    }

    // MARK: Writing

    /// Lets a closure append bytes; they leave with everything else of this batch in one `send`.
    ///
    /// After ``finish(on:)`` or the end of the connection the closure is not called.
    public func write(on shard: isolated Shard, _ body: (inout [UInt8]) -> Void) {
        guard !isClosed else { return }
        if output.capacity == 0 { output = shard.takeBuffer() }
        body(&output)
        if output.count - sent > queueLimit { relieve() }
        markDirty(on: shard)
    }

    private func markDirty(on shard: isolated Shard) {
        // Also while the kernel takes nothing: what gathers then meets the queue's limit in `block`.
        guard !isDirty else { return }
        isDirty = true
        if shard.current !== self { shard.dirty.append(self) }
    }

    /// Gives the kernel what it takes at once when more is queued than may wait, and takes no more bytes if it still is.
    ///
    /// Otherwise the answers to one batch of small messages would be a multiple of the limit before anybody looked. The
    /// handler is at work right now, so it is told only by the next flush.
    private func relieve() {
        _ = push()
        output.removeFirst(sent)
        sent = 0
        isOverflowed = queuedByteCount > queueLimit
    }

    /// Sends what is queued.
    ///
    /// Called by the shard once a batch.
    func flush(on shard: isolated Shard) {
        isDirty = false
        guard state == .open || state == .finishing else { return }
        let outcome = push()
        switch outcome {
        case .failed(let code): return end(.failed(code: code), on: shard)
        case .tls(let failure): return fail(.tls(failure), on: shard)
        case .blocked, .sent, .waiting: break
        }
        if isOverflowed { return end(.overflowed, on: shard) }
        switch outcome {
        case .waiting: return awaitHandshake(on: shard)
        case .blocked: return block(on: shard)
        case .failed, .sent, .tls: break
        }
        shard.recycle(&output)
        sent = 0
        if wantsWritable {
            wantsWritable = false
            updateInterest(on: shard)
            handler?.connectionDrained(self, on: shard)
        }
        // The handler may just have written its last words: they leave with the next flush.
        guard state == .finishing, !isDirty else { return }
        if hasReadEnd { end(endOfStream, on: shard) } else { shutDown(on: shard) }
    }

    /// What an attempt to send came to.
    private enum Outcome {
        /// The kernel takes no more.
        case blocked
        case failed(code: Int32)
        /// The kernel has everything.
        case sent
        case tls(TLSFailure)
        /// The handler has spoken before the handshake is done.
        case waiting
    }

    /// Gives the kernel as much as it takes, and tells nobody.
    private func push() -> Outcome {
        if let tls { return seal(tls) }
        while sent < output.count {
            let count = output.withUnsafeBytes { bytes in
                send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
                takenByteCount &+= UInt64(count)
            } else if errno == EAGAIN {
                return .blocked
            } else if errno != EINTR {
                return .failed(code: errno)
            }
        }
        return .sent
    }

    private func block(on shard: isolated Shard) {
        guard queuedByteCount <= queueLimit else { return end(.overflowed, on: shard) }
        // What was sent is cut off once it is the larger part, so that a slow reader's buffer does not only grow.
        if sent > output.count / 2 {
            output.removeFirst(sent)
            sent = 0
        }
        guard !wantsWritable else { return }
        wantsWritable = true
        updateInterest(on: shard)
    }

    private func updateInterest(on shard: isolated Shard) {
        guard let token else { return }
        // The end of the stream stays readable for ever.
        var interest: Readiness = hasReadEnd ? [] : .readable
        if wantsWritable { interest.insert(.writable) }
        shard.modify(descriptor, token: token, interest: interest)
    }

    // MARK: TLS

    /// Encrypts and sends what is queued, a piece at a time.
    private func seal(_ tls: TLSSession) -> Outcome {
        while true {
            // While the kernel refuses ciphertext, the rest stays plaintext, where the queue's limit sees it.
            if tls.canSeal, tls.ciphertextByteCount < TLSSession.sealedAtOnce, sent < output.count {
                let count = min(output.count - sent, TLSSession.sealedAtOnce)
                output.withUnsafeBytes { tls.seal(UnsafeRawBufferPointer(rebasing: $0[sent..<sent + count])) }
                sent += count
            }
            if state == .finishing, sent == output.count { tls.close() }
            guard tls.ciphertextByteCount > 0 else { break }
            switch transmit(tls) {
            case 0: break
            case EAGAIN: return .blocked
            case let code: return .failed(code: code)
            }
        }
        if case .failed(let reason) = tls.state { return .tls(reason) }
        return sent == output.count ? .sent : .waiting
    }

    /// What is written before the handshake is done waits for it, and not for the kernel.
    private func awaitHandshake(on shard: isolated Shard) {
        guard queuedByteCount <= queueLimit else { return end(.overflowed, on: shard) }
        guard wantsWritable else { return }
        wantsWritable = false
        updateInterest(on: shard)
    }

    /// Sends ciphertext; 0 when the kernel has all of it, else `errno`.
    private func transmit(_ tls: TLSSession) -> Int32 {
        while tls.ciphertextByteCount > 0 {
            var code: Int32 = 0
            tls.sendCiphertext { bytes in
                let count = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
                guard count < 0 else {
                    takenByteCount &+= UInt64(count)
                    return count
                }
                code = errno
                return nil
            }
            if code == 0 || code == EINTR { continue }
            tls.keep()
            return code
        }
        return 0
    }

    /// Decrypts what came and hands it on.
    private func open(_ sealed: UnsafeMutableRawBufferPointer, _ tls: TLSSession, on shard: isolated Shard) {
        let plaintext = tls.receive(UnsafeRawBufferPointer(sealed))
        if tls.ciphertextByteCount > 0 || queuedByteCount > 0 { markDirty(on: shard) }
        if !plaintext.isEmpty, state == .open { handler?.connection(self, received: plaintext, on: shard) }
        switch tls.state {
        case .handshaking, .established: break
        case .failed(let reason): fail(.tls(reason), on: shard)
        case .closedByPeer:
            guard state == .open else { return }
            failure = .closedByPeer
            state = .finishing
            stopReading(on: shard)
            flush(on: shard)
        }
    }

    /// Ends after a fault of TLS: sends the alert if the kernel takes it, then reads to the peer's end, since closing
    /// with bytes unread would reset the connection and lose it.
    private func fail(_ reason: ConnectionEnd, on shard: isolated Shard) {
        guard state == .open || state == .finishing else { return }
        failure = reason
        shard.recycle(&output)
        sent = 0
        if let tls { guard transmit(tls) == 0 else { return end(reason, on: shard) } }
        let isWatched = state == .finishing
        shutDown(on: shard)
        if wantsWritable {
            wantsWritable = false
            updateInterest(on: shard)
        }
        if !isWatched { watch(Self.lingerTime, on: shard) }
    }

    // MARK: Closing

    /// Sends what is queued, then shuts our side and waits for the peer's.
    ///
    /// Closing at once while the peer still sends would reset the connection, and a peer may then never see our last
    /// bytes (RFC 9112 §9.6). A peer that takes nothing for as long as `linger`, or does not close that long after
    /// it has everything, is closed upon.
    public func finish(within linger: Duration = lingerTime, on shard: isolated Shard) {
        guard state == .open else { return }
        state = .finishing
        markDirty(on: shard)
        watch(linger, on: shard)
    }

    /// Armed before the output is sent: a peer that reads nothing must not hold the socket either.
    ///
    /// Looks several times in the wait: what leaves right after its beginning must not double it.
    private func watch(
        _ linger: Duration, looks: Int = Connection.lingerLooks, until last: UInt64? = nil, on shard: isolated Shard
    ) {
        let last = last ?? shard.now + Self.lingerLimit
        let waiting = waitingByteCount
        lingerTimer = shard.schedule(after: linger / Self.lingerLooks) { [weak self] in
            guard let self, self.state != .closed else { return }
            // A slow reader that gets on is waited for: closing now would cut what it reads.
            let left = (self.waitingByteCount < waiting ? Self.lingerLooks : looks) - 1
            guard left > 0, shard.now < last else { return self.end(self.failure ?? .closedByServer, on: shard) }
            self.watch(linger, looks: left, until: last, on: shard)
        }
    }

    /// Bytes that the peer has not acknowledged, ours and the kernel's: the kernel takes more only in large steps, so
    /// ours alone would hide that a slow reader gets on.
    private var waitingByteCount: Int { queuedByteCount + Int(chalkline_unacknowledged_bytes(descriptor)) }

    /// Closes at once; what is queued is lost.
    public func abort(on shard: isolated Shard) {
        end(.closedByServer, on: shard)
    }

    private func shutDown(on shard: isolated Shard) {
        state = .draining
        shutdown(descriptor, Int32(SHUT_WR))
    }

    private func end(_ end: ConnectionEnd, on shard: isolated Shard) {
        guard state != .closed else { return }
        state = .closed
        if let lingerTimer { shard.cancel(lingerTimer) }
        if let token { shard.unregister(descriptor, token: token) }
        Glibc.close(descriptor)
        output = []
        sent = 0
        tls = nil
        wantsWritable = false
        let handler = handler
        self.handler = nil
        handler?.connectionEnded(self, end, on: shard)
    }

    // MARK: Reading

    /// Called by the shard.
    public func ready(_ readiness: Readiness, on shard: isolated Shard) {
        guard state != .closed else { return }
        shard.current = self
        if readiness.contains(.writable) { flush(on: shard) }
        if !readiness.isDisjoint(with: [.readable, .hungUp, .failed]) { read(on: shard) }
        shard.current = nil
        if isDirty { flush(on: shard) }
    }

    private func read(on shard: isolated Shard) {
        // Level-triggered: one `recv` a batch. What does not fit is reported again, after the others had their turn.
        guard state != .closed else { return }
        let buffer = shard.readBuffer
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        if count > 0 {
            let bytes = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            if let tls {
                // After `finish` a handshake still goes on when words wait for it.
                guard state == .open || state == .finishing && !tls.canSeal else { return }
                open(bytes, tls, on: shard)
            } else if state == .open {
                handler?.connection(self, received: bytes, on: shard)
            }
        } else if count == 0 {
            endInput(on: shard)
        } else if errno != EAGAIN, errno != EINTR {
            end(.failed(code: errno), on: shard)
        }
    }

    /// The peer has shut its side.
    ///
    /// It may have done so right behind its request and still read (RFC 9112 §9.6): what is queued goes out, for as long
    /// as it gets on. Its writes are over, so that the handler is told nothing before the end.
    private func endInput(on shard: isolated Shard) {
        let isAnswered = state == .draining || queuedByteCount == 0
        // Without `close_notify` the end of a TLS stream is a cut, by whoever.
        guard !hasReadEnd, !isAnswered, tls == nil || state == .finishing else { return end(endOfStream, on: shard) }
        if state == .open {
            failure = .closedByPeer
            state = .finishing
            isDirty = true
        }
        stopReading(on: shard)
    }

    private func stopReading(on shard: isolated Shard) {
        hasReadEnd = true
        updateInterest(on: shard)
        if lingerTimer == nil { watch(Self.lingerTime, on: shard) }
    }

    /// What the end of the stream means.
    private var endOfStream: ConnectionEnd {
        if let failure { return failure }
        if state == .draining || state == .finishing { return .closedByServer }
        return tls == nil ? .closedByPeer : .tls(.truncated)
    }

    // MARK: Limits

    /// How long the peer may take to close after us.
    public static let lingerTime = Duration.seconds(2)
    /// How often in that time it is looked whether a slow reader gets on.
    private static let lingerLooks = 8
    /// How long a slow reader that gets on is waited for in all, in nanoseconds.
    ///
    /// One minute: a reader of a byte now and then would hold its place for hours.
    private static let lingerLimit: UInt64 = 60_000_000_000
}
