// SessionHost: carries out what a session wants.
// Spec: docs/session.md, docs/architecture.md (back-pressure)

internal import NetIO
internal import TutorCore
internal import TutorProtocol

/// Carries out what a session wants: sends, starts and aborts model calls, runs timers.
///
/// Confined to its shard.
///
/// The session's log is the send queue: while the socket takes bytes, events are encoded as they happen; while it does
/// not, they stay in the log, and what has gathered is sent, merged, when it does again.
final class SessionHost {
    let id: String
    private var session: Session
    private unowned let services: ShardServices
    private var channel: WebSocketChannel?
    private var encoder = EventEncoder()
    private var timers: [SessionTimer: Shard.TimerID] = [:]
    /// The model calls under way, by the shard's name for them.
    var tokens: [ModelCallID: UInt64] = [:]
    /// The last event that the session appended, and the last that was handed to the socket.
    private var appendedSeq: Int64 = 0
    private var sentSeq: Int64 = 0
    /// What waits behind events that the socket has not taken yet.
    private var waiting: [Waiting] = []
    /// Whether a look at what is left is scheduled.
    private var looksAgain = false

    private struct Waiting {
        enum Item {
            case event(EventLog.Merged)
            /// With the client's convention as it is at this place: a later snapshot may bring another size.
            case message(ServerMessage, CoordinateMapper)
        }

        /// The event that it follows.
        var after: Int64
        var item: Item
    }

    init(_ session: Session, services: ShardServices, channel: WebSocketChannel) {
        id = session.id
        self.session = session
        self.services = services
        self.channel = channel
        encoder.mapper = session.mapper
    }

    // MARK: Inputs

    func open(re: MessageID?, key: String, why: Welcome.WhyNew?, version: String, on shard: isolated Shard) {
        run(session.open(re: re, key: key, why: why, version: version), on: shard)
    }

    func receive(_ message: ClientMessage, on shard: isolated Shard) {
        run(session.receive(message, now: .nanoseconds(shard.now)), on: shard)
    }

    func receive(_ event: ModelEvent, of call: ModelCallID, on shard: isolated Shard) {
        run(session.receive(event, of: call, now: .nanoseconds(shard.now)), on: shard)
    }

    /// Answers a message that never reached the session.
    func send(_ message: ServerMessage, on shard: isolated Shard) {
        deliver(.message(message, session.mapper), on: shard)
    }

    func disconnected(_ how: Disconnect, on shard: isolated Shard) {
        channel = nil
        waiting = []
        run(session.disconnect(how, now: .nanoseconds(shard.now)), on: shard)
    }

    /// The socket takes bytes again.
    func drained(on shard: isolated Shard) { catchUp(on: shard) }

    // MARK: Effects

    private func run(_ effects: [SessionEffect], on shard: isolated Shard) {
        for effect in effects {
            switch effect {
            case .append(let event): deliver(event, on: shard)
            case .cancelModel(let call): services.cancel(call, of: self)
            case .cancelTimer(let timer): cancel(timer, on: shard)
            case .expire: expire(on: shard)
            case .feedback(_, _, _, let re): refuse("feedback", re: re, on: shard)
            case .follow: break
            case .forget(_, let re): refuse("forget", re: re, on: shard)
            case .resend(let events): for event in events { deliver(.event(event), on: shard) }
            case .send(let message): deliver(.message(message, session.mapper), on: shard)
            case .setTimer(let timer, let wait): set(timer, after: wait, on: shard)
            case .startModel(let request, let call): services.start(request, call: call, for: self)
            }
        }
    }

    private func refuse(_ type: String, re: MessageID?, on shard: isolated Shard) {
        let error = ErrorMessage(
            re: re, code: .unsupported, message: "this server does not offer \(type)", path: "type")
        deliver(.message(.error(error), session.mapper), on: shard)
    }

    private func deliver(_ event: LoggedEvent, on shard: isolated Shard) {
        let isNext = isCaughtUp
        appendedSeq = event.seq
        guard isNext else { return }
        sentSeq = event.seq
        send(event, on: shard)
    }

    /// Replies and repeated events go behind every event appended before them.
    private func deliver(_ item: Waiting.Item, on shard: isolated Shard) {
        guard channel != nil else { return }
        if isCaughtUp { return send(item, on: shard) }
        guard waiting.count < Self.waitingLimit else { return giveUp(on: shard) }
        waiting.append(Waiting(after: appendedSeq, item: item))
    }

    /// Whether the socket has taken everything so far and takes more.
    private var isCaughtUp: Bool {
        guard let channel else { return false }
        return !channel.isBlocked && sentSeq == appendedSeq && waiting.isEmpty
    }

    private func catchUp(on shard: isolated Shard) {
        guard let channel else { return }
        while !channel.isBlocked, channel.queuedByteCount < Self.queuedBytesLimit {
            if let first = waiting.first, first.after <= sentSeq {
                waiting.removeFirst()
                send(first.item, on: shard)
            } else if sentSeq < appendedSeq {
                // Merged text may run past a reply between its pieces, never past another event: a ring and what is
                // said of it keep their order.
                guard let next = session.log.next(after: sentSeq, byteLimit: textLimit) else {
                    return giveUp(on: shard)
                }
                sentSeq = next.event.seq
                channel.sendText(on: shard) { encoder.append(next.event, fromSeq: next.fromSeq, to: &$0) }
            } else {
                return
            }
        }
        // More is left than goes out at once. If the kernel takes this batch whole nobody would say so: look again. If it
        // does not, `drained` comes.
        guard !channel.isBlocked, !looksAgain else { return }
        looksAgain = true
        _ = shard.schedule(after: .zero) { [weak self] in
            self?.looksAgain = false
            self?.catchUp(on: shard)
        }
    }

    /// The reader is so far behind that what it misses is gone: it has to begin anew.
    private func giveUp(on shard: isolated Shard) {
        waiting = []
        channel?.close(.slowConsumer, on: shard)
    }

    private func send(_ item: Waiting.Item, on shard: isolated Shard) {
        switch item {
        case .event(let event):
            channel?.sendText(on: shard) { encoder.append(event.event, fromSeq: event.fromSeq, to: &$0) }
        case .message(let message, let mapper):
            encoder.mapper = mapper
            channel?.sendText(on: shard, compressed: !message.holdsSecret) {
                encoder.append(message, now: WallClock.milliseconds(), to: &$0)
            }
        }
    }

    private func send(_ event: LoggedEvent, on shard: isolated Shard) {
        channel?.sendText(on: shard) { encoder.append(event, to: &$0) }
    }

    private var textLimit: Int { session.configuration.mergedDeltaBytes }

    // MARK: Timers

    private func set(_ timer: SessionTimer, after wait: Duration, on shard: isolated Shard) {
        cancel(timer, on: shard)
        timers[timer] = shard.schedule(after: wait) { [weak self] in
            guard let self else { return }
            self.timers[timer] = nil
            self.run(self.session.fire(timer, now: .nanoseconds(shard.now)), on: shard)
        }
    }

    private func cancel(_ timer: SessionTimer, on shard: isolated Shard) {
        if let id = timers.removeValue(forKey: timer) { shard.cancel(id) }
    }

    private func expire(on shard: isolated Shard) {
        for timer in timers.keys { cancel(timer, on: shard) }
        for call in tokens.keys { services.cancel(call, of: self) }
        services.remove(self)
    }

    // MARK: Limits

    /// Bytes that one round of catching up hands to the socket.
    ///
    /// 256 KiB.
    static let queuedBytesLimit = 262_144
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
