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
    /// The welcome, for the connection that just began or took up the session.
    ///
    /// - Parameters:
    ///   - re: The id of the `hello`.
    ///   - resumed: How much of an earlier session goes on.
    ///   - why: Why not, where a resume was asked for.
    ///   - version: The server's version.
    /// - Returns: The effects.
    public mutating func open(
        re: MessageID?, resumed: Welcome.Resumed, why: Welcome.WhyNew?, version: String
    ) -> [SessionEffect] {
        emit(
            .send(
                .welcome(
                    Welcome(
                        re: re, session: id, key: key, epoch: epoch, resumed: resumed, why: why, lastSeq: log.lastSeq,
                        screenRevision: screen.revision, limits: configuration.limits, version: version))))
        return takeEffects()
    }

    /// Gives the session to a new connection: what ``disconnect(_:now:)`` set going stops, and the key is another one.
    ///
    /// ``open(re:resumed:why:version:)`` follows, then the missed events.
    public mutating func attach(_ hello: Hello, key: String, now: Duration) -> [SessionEffect] {
        advance(to: now)
        self.hello = hello
        self.key = key
        isAttached = true
        // A snapshot asked for on the old connection may never have come: the next delta decides anew.
        awaitsSnapshot = false
        cancelTimer(.grace)
        cancelTimer(.retention)
        return takeEffects()
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
