// Session, the screen: snapshots and deltas in; acks, resyncs and moved rings out.
// Spec: docs/protocol.md §4, §5 rules 5 and 9

import ScreenCore
import TutorProtocol

extension Session {
    /// Takes a whole screen.
    mutating func take(_ snapshot: ScreenSnapshot, id: MessageID?) {
        do {
            let change = try screen.apply(
                snapshot, coordinates: hello.coordinates, limits: configuration.limits)
            awaitsSnapshot = false
            follow(change, id: id)
        } catch {
            switch error {
            case .invalid(let path, let reason): refuse(id, .badMessage, reason, path: path)
            case .limit(let path), .unknownID(let path): refuse(id, .badMessage, "over its limit", path: path)
            case .gap: refuse(id, .badMessage, "revision does not fit", path: "revision")
            }
        }
    }

    /// Takes what changed.
    mutating func take(_ delta: ScreenDelta, id: MessageID?) {
        // §4: after one resync further deltas are dropped silently until a snapshot comes.
        guard !awaitsSnapshot else { return }
        if let wait = deltaRate.take(now: now) {
            refuse(id, .rateLimited, "too many deltas", retryAfter: wait)
            resync(.limit, re: id)
            return
        }
        do {
            let change = try screen.apply(delta, coordinates: hello.coordinates, limits: configuration.limits)
            follow(change, id: id)
        } catch {
            switch error {
            case .gap: resync(.gap, re: id)
            case .limit: resync(.limit, re: id)
            case .unknownID: resync(.unknownID, re: id)
            case .invalid(let path, let reason): refuse(id, .badMessage, reason, path: path)
            }
        }
    }

    /// Asks for a snapshot, once.
    mutating func resync(_ why: ScreenResync.Why, re id: MessageID?) {
        guard !awaitsSnapshot else { return }
        awaitsSnapshot = true
        emit(.send(.screenResync(ScreenResync(re: id, revision: screen.revision, why: why))))
    }

    private mutating func follow(_ change: ScreenChange, id: MessageID?) {
        emit(
            .send(
                .screenAck(
                    ScreenAck(re: id, revision: screen.revision, elements: screen.elements.count, ids: change.ids))))
        guard !change.isRepeat else { return }
        note(change)
        for update in live.follow(screen, now: now) { emit(.send(.highlightUpdate(update))) }
        if let ask = waiting, let revision = ask.revision, revision <= screen.revision {
            waiting = nil
            cancelTimer(.snapshotWait)
            start(ask, seesScreen: true)
        }
    }

    /// Keeps what the next turn wants to know of the changes.
    private mutating func note(_ change: ScreenChange) {
        if change.isNewScreen {
            changed.removeAll()
            goneCount = 0
            hadTurnOnScreen = false
            lastTouched = nil
            // After a restart the first screen is most likely the one that was there before.
            if !lostScreen { ladder.beginScreen() }
            lostScreen = false
            return
        }
        if hadTurnOnScreen {
            changed.formUnion(change.added)
            changed.formUnion(change.contentChanged)
            changed.formUnion(change.altered)
            changed.subtract(change.removed)
            goneCount += change.removed.count
        }
        let touched = change.contentChanged.last {
            screen.element(serial: $0)?.element.kind.isInput ?? false
        }
        if let touched {
            lastTouched = touched
            ladder.noteWork()
        }
    }
}
