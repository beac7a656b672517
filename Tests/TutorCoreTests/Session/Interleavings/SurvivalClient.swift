// SurvivalClient: what a client knows that believes only what it was sent.
// Spec: docs/protocol.md §2 (merging), §3

import TutorCore
import TutorProtocol

/// What a client knows that believes only what it was sent.
struct SurvivalClient {
    var epoch = "e1"
    /// The newest `seq` that it has.
    private(set) var have: Int64 = 0
    /// What it was sent since it began or got a snapshot, by `seq`.
    private(set) var history: [Int64: TurnEvent] = [:]
    /// Asks whose turn it saw begin.
    private(set) var started: Set<MessageID> = []
    /// Asks whose turn it saw end.
    private(set) var ended: Set<MessageID> = []
    /// Asks whose start it was sent while the disk was there: these must never be lost.
    var acknowledged: Set<MessageID> = []
    private var texts: [TurnID: String] = [:]
    private var forgiven: Set<TurnID> = []

    /// Takes an event; what is wrong with it, if anything.
    mutating func take(_ merged: EventLog.Merged, isKept: Bool) -> String? {
        let seq = merged.event.seq
        if seq <= have { return nil }
        guard (merged.fromSeq ?? seq) == have + 1 else { return "the client missed something" }
        have = seq
        history[seq] = merged.event.event
        switch merged.event.event {
        case .turnStart(let start):
            texts[start.turn] = ""
            guard let re = start.re else { return "a start without an ask" }
            started.insert(re)
            ended.remove(re)
            if isKept { acknowledged.insert(re) }
        case .answerDelta(let delta): texts[delta.turn]? += delta.text
        case .turnEnd(let end):
            guard let re = end.re else { return "an end without an ask" }
            ended.insert(re)
            if let text = texts.removeValue(forKey: end.turn), text != end.answer, !forgiven.contains(end.turn) {
                return "the answer is not the text: \(end.answer) for \(text)"
            }
        case .highlight, .nextAction, .stepObserved: break
        }
        return nil
    }

    /// Takes an event that comes again for its ask.
    mutating func takeAgain(_ merged: EventLog.Merged) {
        switch merged.event.event {
        case .turnStart(let start): if let re = start.re { started.insert(re) }
        case .turnEnd(let end): if let re = end.re { ended.insert(re) }
        case .answerDelta, .highlight, .nextAction, .stepObserved: break
        }
    }

    /// Takes it that an ask is over, whatever came of it.
    mutating func giveUp(_ re: MessageID) {
        started.insert(re)
        ended.insert(re)
    }

    /// Begins again from a snapshot.
    mutating func take(_ pages: [SessionSnapshot], isKept: Bool) {
        guard let first = pages.first else { return }
        have = first.lastSeq
        history = [:]
        texts = [:]
        // A turn that is neither in it nor over is asked again: it may be one that a crash has undone.
        started.formIntersection(ended)
        for page in pages {
            if let running = page.running {
                texts[running.turn, default: ""] += running.text
                note(running.re, isKept: isKept)
                if let re = running.re { ended.remove(re) }
            }
            for turn in page.turns {
                note(turn.re, isKept: isKept)
                if let re = turn.re { ended.insert(re) }
            }
        }
    }

    /// Forgets what came after a `seq` where it can still tell what was before; the `seq` that it has then.
    mutating func rewind(to seq: Int64) -> Int64 {
        guard let place = history.keys.filter({ $0 <= seq }).max() else { return have }
        // Texts of turns that began later or are cut by this are not known any more.
        have = place
        for (seq, event) in history where seq > place {
            switch event {
            case .turnStart(let start): if let re = start.re { started.remove(re) }
            case .turnEnd(let end): if let re = end.re { ended.remove(re) }
            case .answerDelta, .highlight, .nextAction, .stepObserved: break
            }
        }
        history = history.filter { $0.key <= place }
        texts = [:]
        return have
    }

    mutating func forgiveText(of turn: TurnID) { forgiven.insert(turn) }

    private mutating func note(_ re: MessageID?, isKept: Bool) {
        guard let re else { return }
        started.insert(re)
        if isKept { acknowledged.insert(re) }
    }
}
