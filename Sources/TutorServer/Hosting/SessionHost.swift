// SessionHost: carries out what a session wants.
// Spec: docs/session.md, docs/architecture.md (back-pressure)

internal import NetIO
internal import TutorCore
internal import TutorProtocol

/// Carries out what a session wants: sends, starts and aborts model calls, runs timers, has it written.
///
/// Confined to its shard; ``leave(for:on:)`` gives the session to another. How it sends stands in `SessionHost+Sending`.
final class SessionHost {
    let id: String
    var session: Session
    unowned let services: ShardServices
    /// The connection that the session belongs to.
    private(set) var connection: StudentConnection?
    private var timers: [SessionTimer: Shard.TimerID] = [:]
    /// The model calls under way.
    var calls: [ModelCallID: ModelCalls.Place] = [:]
    /// What goes to the connection; its state begins anew with each connection.
    var outbox = Outbox()
    /// Watches whether the reader gets on.
    var stuckTimer: Shard.TimerID?

    // What is not on disk yet.
    /// The write under way.
    var ticket: WriteTicket?
    /// Whether the writer has it on its list.
    var isQueuedForWriting = false
    /// Whether it has more to write once the write under way returns.
    var waitsForTicket = false
    /// Whether its client knows that nothing is kept at the moment.
    var wasToldDegraded = false
    private var isExpiring = false
    /// Whether the session has gone to another shard.
    private(set) var hasLeft = false

    /// Takes a session that has just begun, or has come from disk.
    init(_ session: Session, services: ShardServices) {
        id = session.id
        self.session = session
        self.services = services
        outbox.appendedSeq = session.log.lastSeq
    }

    /// Takes a session that has come from another shard.
    convenience init(_ handover: SessionHandover, services: ShardServices, on shard: isolated Shard) {
        self.init(handover.session, services: services)
        calls = handover.calls
        services.calls.arrive(self)
        for (timer, rest) in session.remainingTimers(now: .nanoseconds(shard.now)) {
            set(timer, after: rest, on: shard)
        }
        ticket = handover.write
        if handover.isDirty { services.writer?.add(self, on: shard) }
        if ticket?.isWritten != nil { writeReturned(on: shard) }
    }

    // MARK: Connections

    /// Begins a new session with its first connection.
    func open(
        _ connection: StudentConnection, re: MessageID?, why: Welcome.WhyNew?, tokenExpiresAt: Int64?,
        on shard: isolated Shard
    ) {
        take(connection)
        run(
            session.open(
                re: re, key: services.commons.keys.key(session: id, generation: session.keyGeneration + 1), why: why,
                version: services.configuration.version, tokenExpiresAt: tokenExpiresAt),
            on: shard)
        // Kept from its first moment: a client that has seen no event goes on after a deploy too.
        services.writer?.add(self, on: shard)
    }

    /// Whether a client with such a key may take the session up.
    ///
    /// A foreign subject gets the same answer as a wrong key.
    func accepts(keyGeneration: Int64, subject: String?) -> Bool {
        keyGeneration >= session.keyGeneration && subject == session.subject
    }

    /// Goes on with another connection; the older one is told and closed.
    func resume(
        _ connection: StudentConnection, _ hello: Hello, keyGeneration: Int64, re: MessageID?, tokenExpiresAt: Int64?,
        on shard: isolated Shard
    ) {
        replaceConnection(on: shard)
        take(connection)
        isExpiring = false
        run(
            session.resume(
                hello, re: re, key: services.commons.keys.key(session: id, generation: keyGeneration + 1),
                keyGeneration: keyGeneration, version: services.configuration.version, tokenExpiresAt: tokenExpiresAt,
                waitsForDisk: waitsForDisk, now: .nanoseconds(shard.now)),
            on: shard)
        services.writer?.add(self, on: shard)
    }

    /// Takes the end of the connection.
    func disconnected(_ how: Disconnect, on shard: isolated Shard) {
        clearOutbox(on: shard)
        connection = nil
        run(session.disconnect(how, now: .nanoseconds(shard.now)), on: shard)
    }

    /// Takes note that no connection follows the one that the session was loaded or moved for.
    func abandon(on shard: isolated Shard) {
        run(session.disconnect(.lost, now: .nanoseconds(shard.now)), on: shard)
    }

    private func take(_ connection: StudentConnection) {
        self.connection = connection
        outbox.channel = connection.channel
        outbox.encoder.mapper = session.mapper
        wasToldDegraded = false
    }

    private func replaceConnection(on shard: isolated Shard) {
        clearOutbox(on: shard)
        let older = connection
        connection = nil
        older?.replaced(on: shard)
    }

    // MARK: Moving

    /// Gives the session away, to the shard that a newer connection came in on.
    func leave(for port: ShardPort, on shard: isolated Shard) -> SessionHandover {
        replaceConnection(on: shard)
        hasLeft = true
        for timer in Array(timers.keys) { cancel(timer, on: shard) }
        ticket?.move(to: port)
        let handover = SessionHandover(
            session: session, calls: services.calls.depart(self, to: port), write: ticket,
            isDirty: isQueuedForWriting || waitsForTicket || session.hasUnwritten)
        calls = [:]
        ticket = nil
        services.depart(self)
        return handover
    }

    // MARK: Inputs

    func receive(_ message: ClientMessage, on shard: isolated Shard) {
        if services.isDraining, case .ask = message.body {
            return send(.error(services.drainRefusal(re: message.id)), on: shard)
        }
        run(session.receive(message, now: .nanoseconds(shard.now)), on: shard)
    }

    func receive(_ event: ModelEvent, of call: ModelCallID, on shard: isolated Shard) {
        run(session.receive(event, of: call, now: .nanoseconds(shard.now)), on: shard)
    }

    /// Answers a message that never reached the session.
    func send(_ message: ServerMessage, on shard: isolated Shard) {
        deliver(.message(message, session.mapper), on: shard)
    }

    // MARK: Effects

    private func run(_ effects: [SessionEffect], on shard: isolated Shard) {
        var isChanged = false
        for effect in effects {
            switch effect {
            case .append(let event):
                isChanged = true
                deliver(event, on: shard)
            case .cancelModel(let call): services.calls.cancel(call, of: self)
            case .cancelTimer(let timer): cancel(timer, on: shard)
            case .expire: expire(on: shard)
            case .feedback(let turn, let value, let text, let re):
                keepFeedback(turn: turn, value: value, text: text, re: re, on: shard)
            case .follow(let seq): follow(after: seq, on: shard)
            case .forget(let all, let re): forget(all: all, re: re, on: shard)
            case .resend(let events): for event in events { deliver(.event(event), on: shard) }
            case .send(let message): deliver(.message(message, session.mapper), on: shard)
            case .setTimer(let timer, let wait): set(timer, after: wait, on: shard)
            case .startModel(let request, let call):
                services.calls.start(request, call: call, for: self)
                // The reader still lags with what came before.
                if outbox.isPausing { services.calls.setPaused(true, self) }
            }
        }
        if isChanged { services.writer?.add(self, on: shard) }
    }

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

    // MARK: Writing

    /// What the store has to be given; nil when it has everything.
    func nextWrite(wallNow: Int64) -> SessionWrite? { session.write(wallNow: wallNow) }

    /// Takes the end of the write that was under way.
    func writeReturned(on shard: isolated Shard) {
        guard let ticket, let isWritten = ticket.isWritten else { return }
        self.ticket = nil
        if isWritten { session.wrote(ticket.write) }
        if session.hasUnwritten || waitsForTicket { services.writer?.add(self, on: shard) }
        waitsForTicket = false
        gateMoved(on: shard)
        settleExpiry(on: shard)
    }

    // MARK: The end

    private func expire(on shard: isolated Shard) {
        for timer in Array(timers.keys) { cancel(timer, on: shard) }
        for call in Array(calls.keys) { services.calls.cancel(call, of: self) }
        isExpiring = true
        settleExpiry(on: shard)
    }

    /// Frees an expired session, after its last write.
    func settleExpiry(on shard: isolated Shard) {
        guard isExpiring, !hasLeft else { return }
        if services.writer != nil, ticket != nil || session.hasUnwritten, services.mayLinger(self) {
            if !isQueuedForWriting { services.writer?.add(self, on: shard) }
            return
        }
        isExpiring = false
        services.remove(self)
    }
}

extension Session {
    /// Whether some of its log is not on disk.
    var hasUnwritten: Bool { savedSeq < log.lastSeq }
}
