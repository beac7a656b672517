// Session, asks: which get a turn, which wait, which came before; and what cancels them.
// Spec: docs/protocol.md §5 rules 1-5 and 11

import ScreenCore
import TutorProtocol

extension Session {
    /// Takes a question.
    ///
    /// Every one that is accepted gets one start and one end.
    mutating func take(_ ask: Ask, id: MessageID?) {
        guard let id else { return refuse(nil, .badMessage, "an ask needs an id", path: "id") }
        let digest = AskDigest(ask)
        if let known = asks.entry(id, now: now) {
            guard known.digest == digest else {
                return refuse(id, .badMessage, "the id was used for another ask", path: "id")
            }
            return takeAgain(known, id: id)
        }
        guard let accepted = accept(ask, id: id, digest: digest) else { return }
        if isBusy, ask.whenBusy == .reject { return refuse(id, .busy, "a turn is running") }
        if let wait = askRate.take(now: now) {
            return refuse(id, .rateLimited, "too many questions", retryAfter: wait)
        }
        asks.insert(id, digest: digest, now: now)
        // Rule 2: the old end comes before the new start. An ask that waits for its screen has already taken the old
        // turn's place: the student wants to know something else now.
        endRunning(.superseded)
        if deadAsks.remove(id, now: now) {
            startAndEnd(accepted, .cancelled)
        } else if let revision = accepted.revision, revision > screen.revision {
            resync(.gap, re: nil)
            waiting = accepted
            setTimer(.snapshotWait, after: configuration.snapshotWait)
        } else {
            start(accepted, seesScreen: screen.hasScreen)
        }
    }

    /// Takes a request to stop.
    ///
    /// It is followed at once; there is nothing about it that could be wrong.
    mutating func take(_ cancel: Cancel, id: MessageID?) {
        switch cancel {
        case .turn(let turn):
            if active?.id == turn { endRunning(.cancelled) }
        case .ask(let ask):
            if active?.ask.id == ask || waiting?.id == ask {
                endRunning(.cancelled)
            } else if asks.entry(ask, now: now) == nil {
                deadAsks.insert(ask, now: now)
            }
        }
        acknowledge(id)
    }

    /// Checks an ask, and finds the question where it only wants the next hint.
    private mutating func accept(_ ask: Ask, id: MessageID, digest: AskDigest) -> AcceptedAsk? {
        guard ask.text.utf8.count <= configuration.limits.questionBytes else {
            refuse(id, .badMessage, "longer than \(configuration.limits.questionBytes) bytes", path: "text")
            return nil
        }
        var accepted = AcceptedAsk(
            id: id, digest: digest, question: ask.text, cause: .ask, language: ask.language,
            hintLevel: min(4, max(0, ask.hintLevel)), focus: ask.focus, revision: ask.revision, askedAt: now)
        guard let earlier = ask.of else {
            if ask.text.isEmpty {
                refuse(id, .badMessage, "there is no question", path: "text")
                return nil
            }
            return accepted
        }
        guard let record = history[earlier] else {
            refuse(id, .unknownTurn, "no such turn", path: "of")
            return nil
        }
        if ask.text.isEmpty {
            accepted.question = record.question
            accepted.cause = .hint
            accepted.language = ask.language ?? record.language
            accepted.hintLevel = min(4, record.hintLevel + 1)
        }
        return accepted
    }

    /// Answers an ask that came before: with its events as they were.
    ///
    /// One that still waits will get its start.
    private mutating func takeAgain(_ known: AskRegister.Entry, id: MessageID) {
        guard let startSeq = known.startSeq else { return }
        if let wait = repeatRate.take(now: now) {
            return refuse(id, .rateLimited, "too many repeated questions", retryAfter: wait)
        }
        if let events = log.events(ofTurnStartedAt: startSeq) {
            emit(.resend(events))
        } else if let end = known.end {
            emit(.resend([EventLog.Merged(event: end)]))
        } else if let turn = active, turn.ask.id == id {
            // So much has happened in this very turn that its start is gone: what is left, and the end will come.
            emit(.resend(log.events(after: log.firstSeq - 1)?.filter { $0.event.event.turn == turn.id } ?? []))
        } else {
            refuse(id, .unknownTurn, "the turn's events are no longer kept", path: "id")
        }
    }
}
