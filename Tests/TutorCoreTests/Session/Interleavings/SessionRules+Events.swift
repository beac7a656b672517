// SessionRules, events: what each event and message has to be like when it comes out.
// Spec: docs/protocol.md §2, §5 rules 6, 8 and 9

import TutorCore
import TutorProtocol

extension SessionRules {
    // MARK: Effects

    mutating func take(_ effect: SessionEffect, of input: Input) {
        switch effect {
        case .append(let logged):
            require(logged.seq == lastSeq + 1, "seq has a gap")
            lastSeq = logged.seq
            take(logged, of: input)
        case .cancelModel(let call):
            require(call == openCall, "a call was cancelled that is not open")
            openCall = nil
        case .startModel(let request, let call):
            require(openCall == nil, "two calls at once")
            require(call.number == lastCall + 1, "calls are not numbered")
            require(running != nil, "a call without a turn")
            require(!request.messages.isEmpty, "an empty prompt")
            lastCall = call.number
            openCall = call
            running?.calls += 1
            require((running?.calls ?? 0) <= 2, "more than one repair")
        case .expire:
            require(!isAttached && running == nil && waiting == nil, "expired while in use")
        case .send(let message): take(message, of: input)
        case .cancelTimer, .feedback, .follow, .forget, .resend, .setTimer: break
        }
    }

    mutating func take(_ message: ServerMessage, of input: Input) {
        switch message {
        case .screenAck(let ack):
            if case .message(let sent) = input {
                switch sent.body {
                case .screenSnapshot(let snapshot):
                    mirror.apply(snapshot)
                    owesSnapshot = false
                    follow()
                case .screenDelta(let delta) where delta.revision != mirror.revision:
                    mirror.apply(delta)
                    follow()
                default: break
                }
            }
            require(ack.revision == mirror.revision, "acknowledged another revision")
            require(ack.elements == mirror.items.count, "another number of elements")
        case .screenResync(let resync):
            require(!owesSnapshot, "a second resync")
            require(resync.revision == mirror.revision, "resync of another revision")
            owesSnapshot = true
        case .highlightUpdate(let update): if case .attach = input {} else { seenUpdates.append(update) }
        case .turnState(let turn, let state):
            require(turn == running?.turn, "a state of a turn that does not run")
            if case .attach = input { return require(state == running?.state, "another state after a resume") }
            let order: [TurnState] = [.thinking, .answering, .repairing]
            let before = running?.state.flatMap { order.firstIndex(of: $0) } ?? -1
            require(order.firstIndex(of: state).map { $0 > before } ?? false, "a state out of order")
            running?.state = state
        case .bye, .error, .limit, .ok, .pong, .sessionSnapshot, .welcome: break
        }
    }

    mutating func take(_ logged: LoggedEvent, of input: Input) {
        switch logged.event {
        case .turnStart(let start): begin(start, logged)
        case .turnEnd(let end): finish(end, logged)
        case .answerDelta(let delta):
            note(logged, turn: delta.turn, input)
            require(!delta.text.isEmpty, "an empty delta")
            require(running?.state == .answering, "text while not answering")
            running?.text += delta.text
            running?.scalars += delta.text.unicodeScalars.count
        case .highlight(let highlight):
            note(logged, turn: highlight.turn, input)
            let item = target(highlight.element, highlight.box, highlight.revision, at: highlight.at)
            guard let item else { return }
            require(running?.ringed.insert(item.identity).inserted ?? false, "a second ring on an element")
            show(item, ringUntil: now + .milliseconds(highlight.ttlMilliseconds), step: nil)
            let rings = shown.count { ($0.ringUntil ?? .zero) > now }
            require(rings <= configuration.limits.highlights, "too many rings")
        case .nextAction(let action):
            note(logged, turn: action.turn, input)
            guard let item = target(action.element, action.box, action.revision, at: action.at) else { return }
            running?.steps += 1
            require(action.step == running?.steps, "steps are not numbered from 1")
            show(item, ringUntil: nil, step: action.step)
        case .stepObserved: require(false, "nobody observes steps yet")
        }
    }

    mutating func begin(_ start: TurnStart, _ logged: LoggedEvent) {
        require(running == nil, "a turn began while another runs")
        require(start.turn.number == lastTurn + 1, "turns are not numbered")
        lastTurn = start.turn.number
        shown = []
        guard let re = start.re, var entry = asked[re] else {
            // Forgotten while it waited is impossible: it waits 2 s and is remembered for 10 minutes.
            require(false, "a turn without an accepted ask")
            return
        }
        require(entry.turn == nil, "a second start")
        require(start.hintLevel <= 4 && start.hintLevel >= 0, "hint level")
        entry.turn = start.turn
        entry.events = [logged]
        asked[re] = entry
        if waiting == re { waiting = nil }
        if let revision = start.revision { require(revision == mirror.revision, "pinned to another screen") }
        if let revision = start.revision, let wanted = entry.ask.revision {
            require(revision >= wanted, "pinned to a screen older than the ask's")
        }
        running = Running(turn: start.turn, ask: re, pinned: start.revision == nil ? nil : mirror)
    }

    mutating func finish(_ end: TurnEnd, _ logged: LoggedEvent) {
        guard let turn = running, turn.turn == end.turn else {
            require(false, "an end of a turn that does not run")
            return
        }
        require(end.re == turn.ask, "an end of another ask")
        require(end.answer == turn.text, "the answer is not the sum of its deltas")
        require((end.usage == nil) == (turn.calls == 0), "usage without a call, or a call without usage")
        require((end.firstTextMilliseconds == nil) == turn.text.isEmpty, "first_text_ms")
        require(end.dropped.count <= configuration.droppedTargets, "too many dropped")
        require(end.durationMilliseconds >= end.firstTextMilliseconds ?? 0, "the end before the first text")
        switch end.status {
        case .done: require(end.reason == nil || end.reason == "length", "a reason that no turn is done for")
        case .failed: require(end.reason?.hasPrefix("upstream_") ?? false, "a reason that no model fails for")
        case .cancelled, .expired, .superseded: require(end.reason == nil, "a reason nobody knows")
        }
        record(logged, of: turn.ask, isEnd: true)
        running = nil
    }

    mutating func note(_ logged: LoggedEvent, turn: TurnID, _ input: Input) {
        require(turn == running?.turn, "an event of a turn that does not run")
        if case .model = input {} else { require(false, "an answer without a model's word") }
        if let ask = running?.ask { record(logged, of: ask, isEnd: false) }
    }

    mutating func record(_ logged: LoggedEvent, of ask: MessageID, isEnd: Bool) {
        require(asked[ask]?.isOver == false && asked[ask]?.turn == running?.turn, "an event of an ask that is over")
        asked[ask]?.events.append(logged)
        if isEnd { asked[ask]?.isOver = true }
    }

    // MARK: Targets

    /// Rule 8: an element of the pinned screen that is still the same now, with its newest box.
    mutating func target(_ id: ElementID, _ box: Box, _ revision: Int64, at: Int) -> ScreenMirror.Item? {
        require(at == running?.scalars, "`at` is not the number of scalars sent")
        guard let pinned = running?.pinned else {
            require(false, "a target without a screen")
            return nil
        }
        guard let item = mirror.items[id] else {
            require(false, "a target is not on the screen")
            return nil
        }
        require(item.element.box == box, "a target has another box now")
        require(revision == mirror.revision, "a box of another revision")
        require(item.isShowable, "a target cannot be seen")
        if let was = pinned.item(identity: item.identity) {
            require(
                item.element.kind.isInput || item.element.content == was.element.content,
                "a target says something else now")
        } else {
            // Drawn again under another identity: same kind and text as one that is gone.
            let takesItsPlace = pinned.items.values.contains { gone in
                mirror.item(identity: gone.identity) == nil && gone.element.kind == item.element.kind
                    && gone.element.content == item.element.content
            }
            require(takesItsPlace, "a target is no element of the pinned screen")
        }
        return item
    }

    mutating func show(_ item: ScreenMirror.Item, ringUntil: Duration?, step: Int?) {
        guard let turn = running?.turn else { return }
        let index: Int
        if let found = shown.firstIndex(where: { $0.identity == item.identity }) {
            index = found
        } else {
            shown.append(
                Shown(
                    turn: turn, identity: item.identity, id: item.element.id, box: item.element.box,
                    content: item.element.content, ringUntil: nil, steps: []))
            index = shown.count - 1
        }
        if let ringUntil { shown[index].ringUntil = ringUntil }
        if let step { shown[index].steps.insert(step) }
    }

    /// Rule 9: what has to be said of the rings and steps after the screen changed.
    mutating func follow() {
        var kept: [Shown] = []
        for var target in shown where (target.ringUntil ?? .zero) > now || !target.steps.isEmpty {
            var update = HighlightUpdate(turn: target.turn, element: target.id, box: nil, revision: mirror.revision)
            if let item = mirror.item(identity: target.identity) {
                if !item.isShowable {
                    update.why = .hidden
                } else if !item.element.kind.isInput, item.element.content != target.content {
                    update.why = .stale
                } else if item.element.box != target.box {
                    update.box = item.element.box
                    target.box = item.element.box
                }
            } else {
                update.why = .removed
            }
            if update.box != nil || update.why != nil { expectedUpdates.append(update) }
            if update.why == nil { kept.append(target) }
        }
        shown = kept
    }
}
