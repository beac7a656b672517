// Session, connections: the welcome, a lost connection, the timers.
// Spec: docs/protocol.md §3

import ScreenCore
public import TutorProtocol

/// How a connection ended.
public enum Disconnect: Sendable, Hashable {
    /// The client said that it is done (close 1000): a running turn ends at once.
    case closed
    /// Anything else, a page reload (1001) too: a running turn goes on for the grace.
    case lost
}

extension Session {
    /// The welcome of a session that begins.
    ///
    /// - Parameters:
    ///   - re: The id of the `hello`.
    ///   - key: The secret to resume the session with.
    ///   - why: Why nothing goes on, where a resume was asked for.
    ///   - version: The server's version.
    ///   - tokenExpiresAt: When the client's token ends, in milliseconds since 1970.
    /// - Returns: The effects: the welcome, then all events from the first.
    public mutating func open(
        re: MessageID?, key: String, why: Welcome.WhyNew?, version: String, tokenExpiresAt: Int64? = nil
    ) -> [SessionEffect] {
        welcome(.new, re: re, key: key, why: why, version: version, tokenExpiresAt: tokenExpiresAt)
        emit(.follow(after: 0))
        return takeEffects()
    }

    /// Gives the session to a connection that asks to go on, also when it has another one still: the newest wins.
    ///
    /// The missed events follow if all of them are there; else a snapshot comes in their place. What
    /// ``disconnect(_:now:)`` set going stops.
    ///
    /// - Parameters:
    ///   - hello: The first message of the connection, which says what it has.
    ///   - re: The id of the `hello`.
    ///   - key: The secret of the generation after `keyGeneration`.
    ///   - keyGeneration: The generation of the key that was shown; older ones are good no more.
    ///   - version: The server's version.
    ///   - tokenExpiresAt: When the client's token ends, in milliseconds since 1970.
    ///   - waitsForDisk: Whether the host holds events back at ``sendableSeq``. Then a snapshot holds none of them
    ///     either, since it would tell of an ask that a crash could still undo.
    ///   - now: Monotonic time.
    /// - Returns: The effects: the welcome, the pages of a snapshot, what to follow, and what passing state there is.
    public mutating func resume(
        _ hello: Hello, re: MessageID?, key: String, keyGeneration: Int64, version: String,
        tokenExpiresAt: Int64? = nil, waitsForDisk: Bool = false, now: Duration
    ) -> [SessionEffect] {
        advance(to: now)
        let goesOn = hello.resume.map(canReplay) ?? false
        self.hello = hello
        self.keyGeneration = max(self.keyGeneration, keyGeneration)
        isAttached = true
        // A snapshot asked for on the old connection may never have come: the next delta decides anew.
        awaitsSnapshot = false
        welcome(
            goesOn ? .replay : .snapshot, re: re, key: key, why: nil, version: version, tokenExpiresAt: tokenExpiresAt)
        cancelTimer(.grace)
        cancelTimer(.retention)
        if goesOn, let seq = hello.resume?.seq {
            emit(.follow(after: seq))
            for update in live.alive(on: screen, now: self.now) { emit(.send(.highlightUpdate(update))) }
        } else {
            let seq = waitsForDisk ? snapshotSeq : log.lastSeq
            for page in snapshot(upTo: seq).pages(limit: configuration.limits.serverMessageBytes) {
                emit(.send(.sessionSnapshot(page)))
            }
            emit(.follow(after: seq))
        }
        if let turn = active { emit(.send(.turnState(turn.id, turn.phase.wire))) }
        return takeEffects()
    }

    private mutating func welcome(
        _ resumed: Welcome.Resumed, re: MessageID?, key: String, why: Welcome.WhyNew?, version: String,
        tokenExpiresAt: Int64?
    ) {
        emit(
            .send(
                .welcome(
                    Welcome(
                        re: re, session: id, key: key, epoch: epoch, resumed: resumed, why: why, lastSeq: log.lastSeq,
                        screenRevision: screen.revision, limits: configuration.limits, tokenExpiresAt: tokenExpiresAt,
                        version: version))))
    }

    /// Whether the log holds all that a client misses: it counted in an epoch that is known, and not beyond what is
    /// left of it.
    private func canReplay(_ resume: Hello.Resume) -> Bool {
        guard let known = epochs.last(where: { $0.name == resume.epoch }) else { return false }
        return resume.seq <= known.end ?? log.lastSeq && log.canFollow(after: resume.seq)
    }

    /// Takes the end of the session's connection.
    public mutating func disconnect(_ how: Disconnect, now: Duration) -> [SessionEffect] {
        guard isAttached else { return [] }
        advance(to: now)
        isAttached = false
        switch how {
        case .closed:
            endRunning(.cancelled)
            retain()
        case .lost where isBusy:
            setTimer(.grace, after: configuration.grace)
        case .lost:
            retain()
        }
        return takeEffects()
    }

    /// Takes the firing of a timer.
    ///
    /// One that was cancelled or replaced meanwhile does nothing.
    public mutating func fire(_ timer: SessionTimer, now: Duration) -> [SessionEffect] {
        advance(to: now)
        switch timers.fire(timer, now: self.now) {
        case .unset: break
        case .early(let rest): emit(.setTimer(timer, after: rest))
        case .due:
            switch timer {
            case .grace:
                endRunning(.expired)
                retain()
            case .retention:
                emit(.expire)
            case .snapshotWait:
                if let ask = waiting {
                    waiting = nil
                    start(ask, seesScreen: false)
                }
            }
        }
        return takeEffects()
    }

    /// Ends what runs or waits as failed, where the server cannot go on with it.
    public mutating func fail(_ reason: EndReason, now: Duration) -> [SessionEffect] {
        advance(to: now)
        endRunning(.failed, reason: reason)
        return takeEffects()
    }

    private mutating func retain() {
        if configuration.retention > .zero {
            setTimer(.retention, after: configuration.retention)
        } else {
            emit(.expire)
        }
    }
}
