// SessionRules, resume: what a client gets that comes back.
// Spec: docs/protocol.md §3

import TutorCore
import TutorProtocol

extension SessionRules {
    /// A welcome first; then either the missed events and every ring, or a snapshot and what comes after it.
    mutating func judge(_ hello: Hello, _ effects: [SessionEffect]) {
        guard let resume = hello.resume, case .send(.welcome(let welcome)) = effects.first else {
            require(false, "a resume begins with its welcome")
            return
        }
        require(welcome.lastSeq == lastSeq, "another last_seq")
        require(welcome.screenRevision == mirror.revision, "another screen_revision")
        require(effects.follows.count == 1, "a resume follows once")
        let sent = effects.filter { if case .send = $0 { true } else { false } }
        switch welcome.resumed {
        case .new: require(false, "a session that is there began anew")
        case .replay:
            require(resume.epoch == welcome.epoch && resume.seq <= lastSeq, "a replay for one who is ahead")
            require(effects.follows == [resume.seq], "a replay from elsewhere")
            require(effects.pages.isEmpty, "a snapshot beside a replay")
            let alive = shown.filter { ($0.ringUntil ?? .zero) > now || !$0.steps.isEmpty }.map {
                HighlightUpdate(turn: $0.turn, element: $0.id, box: $0.box, revision: mirror.revision)
            }
            let updates = effects.compactMap { effect -> HighlightUpdate? in
                if case .send(.highlightUpdate(let update)) = effect { update } else { nil }
            }
            require(updates == alive, "not one update for each ring alive")
        case .snapshot:
            let isKnown = resume.epoch == welcome.epoch && resume.seq <= lastSeq
            require(
                !isKnown || resume.seq < lastSeq - Int64(configuration.limits.logEvents) + 1,
                "a snapshot where a replay was possible")
            require(effects.follows == [lastSeq], "a snapshot goes on elsewhere")
            judge(effects.pages)
            require(sent.count == 1 + effects.pages.count + (running == nil ? 0 : 1), "a snapshot with more")
        }
    }

    private mutating func judge(_ pages: [SessionSnapshot]) {
        require(pages.map(\.part) == Array(1...max(1, pages.count)), "pages are not numbered")
        require(pages.allSatisfy { $0.parts == pages.count && $0.lastSeq == lastSeq }, "pages differ")
        require(pages.first?.running?.turn == running?.turn, "the running turn is not in the snapshot")
        let text = pages.map { $0.running?.text ?? "" }.joined()
        require(running == nil || text == running?.text, "the text so far is another")
        for ended in pages.flatMap(\.turns) {
            // An id may be used again after its time.
            guard let re = ended.re, let asked = asked[re], asked.turn == ended.turn else { continue }
            guard case .turnEnd(let end) = asked.events.last?.event else {
                require(false, "an ended turn that is not over")
                continue
            }
            require(end.answer == ended.answer && end.status == ended.status, "another end in the snapshot")
            let isSame = ended.question == nil || ended.question == asked.ask.text || asked.ask.of != nil
            require(isSame, "another question")
        }
        guard let newest = pages.first?.running?.shown ?? pages.flatMap(\.turns).last?.shown else { return }
        let rings = shown.filter { ($0.ringUntil ?? .zero) > now }
        require(newest.highlights.map(\.element) == rings.map(\.id), "not the rings that are alive")
        require(newest.highlights.map(\.box) == rings.map(\.box), "a ring with another box")
    }
}
