// SessionHost, sending: the log goes out as the socket, and the disk, allow.
// Spec: docs/architecture.md (back-pressure), docs/protocol.md §3 (durability), §11 (send queue)

internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol

extension SessionHost {
    /// Has the connection follow the log after a `seq`.
    func follow(after seq: Int64, on shard: isolated Shard) {
        guard outbox.channel != nil else { return }
        outbox.sentSeq = seq
        // At most: of an entry that is partly sent the rest is less.
        outbox.unsentBytes = seq < outbox.appendedSeq ? session.log.byteCount : 0
        catchUp(on: shard)
    }

    /// Sends an event that was appended, if it may leave now.
    func deliver(_ event: LoggedEvent, on shard: isolated Shard) {
        let isNext = outbox.sentSeq != nil && outbox.hasSentAll && takesMore && event.seq <= sendableSeq
        outbox.appendedSeq = event.seq
        guard outbox.channel != nil else { return }
        guard isNext else {
            outbox.unsentBytes += event.event.sizeOnWire
            return regulate(on: shard)
        }
        outbox.sentSeq = event.seq
        send(event, on: shard)
    }

    /// Replies and repeated events go behind every event appended before them.
    func deliver(_ item: Outbox.Waiting.Item, on shard: isolated Shard) {
        guard outbox.channel != nil else { return }
        if outbox.hasSentAll, takesMore || outbox.sentSeq == nil { return send(item, on: shard) }
        guard outbox.waiting.count < Self.waitingLimit else { return giveUp(on: shard) }
        outbox.waiting.append(Outbox.Waiting(after: outbox.appendedSeq, item: item))
    }

    /// The socket takes bytes again.
    func drained(on shard: isolated Shard) { catchUp(on: shard) }

    /// More of the log may leave: something is on disk, or nothing waits for the disk any more.
    func gateMoved(on shard: isolated Shard) {
        guard outbox.channel != nil, !outbox.hasSentAll else { return }
        catchUp(on: shard)
    }

    /// Says once that nothing is kept at the moment.
    ///
    /// Past what waits, which it is about.
    func tellDegraded(on shard: isolated Shard) {
        guard !wasToldDegraded, outbox.channel != nil else { return }
        wasToldDegraded = true
        let message = "what happens now may be lost when the server stops"
        connection?.send(.error(ErrorMessage(code: .storageDegraded, message: message)), on: shard)
    }

    /// Ends what belongs to the connection: nothing waits for a reader any more, nor does the model.
    func clearOutbox(on shard: isolated Shard) {
        if outbox.isPausing { services.calls.setPaused(false, self) }
        if let stuckTimer { shard.cancel(stuckTimer) }
        stuckTimer = nil
        outbox.clear()
    }

    /// Whether everything that the session has for its connection is with the kernel.
    var isSent: Bool {
        guard let channel = outbox.channel else { return true }
        return outbox.hasSentAll && channel.queuedByteCount == 0
    }

    private var takesMore: Bool {
        guard let channel = outbox.channel else { return false }
        return !channel.isBlocked && channel.queuedByteCount < Self.queuedBytesLimit
    }

    /// The last event that may leave: an accepted question's first event, and what follows, waits for the disk.
    private var sendableSeq: Int64 { waitsForDisk ? session.sendableSeq : .max }

    /// Whether events wait for the disk: there is one, and it takes what it is given.
    var waitsForDisk: Bool { services.writer.map { !$0.isGateOpen } ?? false }

    private func catchUp(on shard: isolated Shard) {
        guard let channel = outbox.channel else { return }
        while takesMore {
            if let first = outbox.waiting.first, first.after <= outbox.sentSeq ?? 0 {
                outbox.waiting.removeFirst()
                send(first.item, on: shard)
            } else if let sent = outbox.sentSeq, sent < outbox.appendedSeq, sent < sendableSeq {
                // Merged text may run past a reply between its pieces, never past another event: a ring and what is
                // said of it keep their order.
                guard let next = session.log.next(after: sent, byteLimit: session.configuration.mergedDeltaBytes) else {
                    return giveUp(on: shard)
                }
                outbox.sentSeq = next.event.seq
                outbox.unsentBytes = max(0, outbox.unsentBytes - next.event.event.sizeOnWire)
                send(next, on: shard)
            } else {
                if outbox.hasSentAll { outbox.unsentBytes = 0 }
                regulate(on: shard)
                // What was written just now still counts, and may be all that holds the model back.
                if outbox.isPausing, channel.queuedByteCount > 0 { lookAgain(at: channel, on: shard) }
                return
            }
        }
        regulate(on: shard)
        // More is left than goes out at once.
        lookAgain(at: channel, on: shard)
    }

    /// Looks again after this batch: if the kernel takes it whole nobody would say so; if it does not, `drained` comes.
    private func lookAgain(at channel: WebSocketChannel, on shard: isolated Shard) {
        guard !channel.isBlocked, !outbox.looksAgain else { return }
        outbox.looksAgain = true
        _ = shard.schedule(after: .zero) { [weak self] in
            self?.outbox.looksAgain = false
            self?.catchUp(on: shard)
        }
    }

    private func send(_ item: Outbox.Waiting.Item, on shard: isolated Shard) {
        switch item {
        case .event(let event): send(event, on: shard)
        case .message(let message, let mapper):
            outbox.encoder.mapper = mapper
            outbox.channel?.sendText(on: shard, compressed: !message.holdsSecret) {
                outbox.encoder.append(message, now: WallClock.milliseconds(), to: &$0)
            }
        }
    }

    private func send(_ event: LoggedEvent, on shard: isolated Shard) {
        outbox.channel?.sendText(on: shard) { outbox.encoder.append(event, to: &$0) }
    }

    private func send(_ merged: EventLog.Merged, on shard: isolated Shard) {
        outbox.channel?.sendText(on: shard) { outbox.encoder.append(merged.event, fromSeq: merged.fromSeq, to: &$0) }
    }

    // MARK: Back-pressure

    /// Holds the model back for a reader that lags, and gives up one that lags too far or takes nothing.
    private func regulate(on shard: isolated Shard) {
        guard let channel = outbox.channel else { return }
        let configuration = services.configuration
        let waiting = outbox.unsentBytes + channel.queuedByteCount
        if waiting > configuration.session.limits.logBytes, channel.isBlocked { return giveUp(on: shard) }
        let isPausing = waiting > (outbox.isPausing ? configuration.pauseBytes / 2 : configuration.pauseBytes)
        if isPausing != outbox.isPausing {
            outbox.isPausing = isPausing
            services.calls.setPaused(isPausing, self)
        }
        if channel.isBlocked, stuckTimer == nil { watch(channel, on: shard) }
    }

    /// Looks, after the time for a stuck reader, whether the kernel has taken anything.
    private func watch(_ channel: WebSocketChannel, on shard: isolated Shard) {
        let taken = channel.takenByteCount
        stuckTimer = shard.schedule(after: services.configuration.stuckWait) { [weak self] in
            guard let self else { return }
            self.stuckTimer = nil
            guard self.outbox.channel === channel, channel.isBlocked else { return }
            if channel.takenByteCount == taken { return self.giveUp(on: shard) }
            self.watch(channel, on: shard)
        }
    }

    /// The reader is so far behind that it has to come back and go on from where it is.
    private func giveUp(on shard: isolated Shard) {
        guard let channel = outbox.channel else { return }
        services.log.info("slow reader closed", metadata: ["session": id])
        clearOutbox(on: shard)
        channel.close(.slowConsumer, on: shard)
    }

    // MARK: Limits

    /// Bytes that one connection's own buffer is filled up to; the rest stays in the log.
    ///
    /// 128 KiB: with the longest piece on top the buffer stays within 256 KiB.
    static let queuedBytesLimit = 131_072
    /// Replies that may wait for a slow socket; more closes with 4409.
    static let waitingLimit = 256
}

extension ServerMessage {
    /// Whether it holds the resume key.
    ///
    /// Compressed beside text that others choose, its length would tell what they guessed right (docs/compression.md).
    fileprivate var holdsSecret: Bool {
        if case .welcome = self { true } else { false }
    }
}
