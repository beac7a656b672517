// Session, records: a student rates a turn, or wants everything forgotten.
// Spec: docs/protocol.md §8

import TutorProtocol

extension Session {
    /// Takes what a student thinks of a turn.
    mutating func take(_ feedback: Feedback, id: MessageID?) {
        guard isKnown(feedback.turn) else { return refuse(id, .unknownTurn, "no such turn", path: "turn") }
        emit(.feedback(feedback.turn, value: feedback.value, text: feedback.text, re: id))
    }

    /// Forgets what was said so far; the session itself goes on, with the same numbers.
    ///
    /// Ids of asks stay taken, by their digests alone. The events of a turn that is cut by this stay in memory until the
    /// next turn, since the client has still to get its end; nothing of them goes to disk any more.
    mutating func forget(all: Bool, id: MessageID?) {
        let cut = active.flatMap { history[$0.id]?.startSeq } ?? log.lastSeq + 1
        endRunning(.cancelled)
        log.removeAll(before: cut)
        holdsErased = log.entryCount > 0
        savedSeq = log.lastSeq
        unsavedStart = nil
        savedRecord = nil
        erasures += 1
        unsavedTurns.removeAll()
        history.removeAll()
        recentEnds.removeAll()
        summaries = SummaryWindow()
        asks.removeAnswers()
        missedHighlights.removeAll()
        ladder = HintLadder()
        emit(.forget(all: all, re: id))
    }

    /// Drops what was left of a turn that was to be forgotten.
    mutating func eraseRest() {
        guard holdsErased else { return }
        holdsErased = false
        log.removeAll(before: log.lastSeq + 1)
    }
}
