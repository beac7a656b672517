// SessionRules: every rule of a turn that can be seen from outside, checked on inputs and effects alone.
// Spec: docs/protocol.md §2, §4, §5

import TutorCore
import TutorProtocol

/// Every rule of §5 that can be seen from outside.
///
/// It knows nothing of the session's inside: only what went in, what came out, and the client's own view of the screen.
struct SessionRules {
    /// What went in.
    enum Input: Hashable {
        case attach
        case disconnect(Disconnect)
        case fire(SessionTimer)
        case message(ClientMessage)
        case model(ModelEvent, ModelCallID)
    }

    /// What became of an accepted ask.
    struct Asked {
        var ask: Ask
        var acceptedAt: Duration
        var isOver = false
        var turn: TurnID?
        var events: [LoggedEvent] = []
    }

    /// What the client has of the running turn.
    struct Running {
        var turn: TurnID
        var ask: MessageID
        var pinned: ScreenMirror?
        var text = ""
        var scalars = 0
        var ringed: Set<Int> = []
        var steps = 0
        var calls = 0
        var state: TurnState?
    }

    /// What the client shows of the newest turn.
    struct Shown {
        var turn: TurnID
        var identity: Int
        var id: ElementID
        var box: Box
        var content: String
        var ringUntil: Duration?
        var steps: Set<Int>
    }

    let configuration: SessionConfiguration
    private(set) var violations: [String] = []
    private(set) var mirror = ScreenMirror()
    private(set) var asked: [MessageID: Asked] = [:]
    /// Their ids, oldest first.
    private var acceptedOrder: [MessageID] = []
    private(set) var running: Running?
    private(set) var waiting: MessageID?
    private(set) var openCall: ModelCallID?
    private(set) var lastSeq: Int64 = 0
    private(set) var owesSnapshot = false
    private(set) var isAttached = true
    private var lastTurn = 0
    private var lastCall = 0
    private var shown: [Shown] = []
    private var openSteps: Set<Int> = []
    private var dead: [(id: MessageID, until: Duration)] = []
    private var now: Duration = .zero

    // While one input is checked.
    /// The ask that waits when the effects of the input are through.
    private var nextWaiting: MessageID?
    private var expectedUpdates: [HighlightUpdate] = []
    private var seenUpdates: [HighlightUpdate] = []

    init(configuration: SessionConfiguration) {
        self.configuration = configuration
    }

    mutating func require(_ condition: Bool, _ rule: String) {
        if !condition { violations.append(rule) }
    }

    // MARK: One input

    mutating func check(_ input: Input, _ effects: [SessionEffect], at now: Duration) {
        self.now = now
        expectedUpdates = []
        seenUpdates = []
        let wasRunning = running
        let wasWaiting = waiting
        let wasOwing = owesSnapshot
        let wasAttached = isAttached
        let hadCall = openCall
        forget()

        switch input {
        case .attach:
            isAttached = true
            owesSnapshot = false
        case .disconnect: isAttached = false
        case .model(let event, let call):
            guard call == hadCall else {
                require(effects.isEmpty, "an event of a call that is over had effects")
                return
            }
            switch event {
            case .failed, .finished: openCall = nil
            case .reasoning, .text, .usage: break
            }
        case .fire, .message: break
        }
        if case .message(let message) = input {
            guard wasAttached else {
                require(effects.isEmpty, "a message without a connection had effects")
                return
            }
            if case .ask(let ask) = message.body { judge(ask, id: message.id, effects) }
            if case .stepResult(let result) = message.body { close(result) }
            if case .screenDelta = message.body, wasOwing {
                require(effects.isEmpty, "a delta was not dropped while a snapshot is owed")
            }
            judgeAnswers(message, effects, wasOwing: wasOwing)
        }
        for effect in effects { take(effect, of: input) }
        waiting = nextWaiting ?? waiting
        nextWaiting = nil
        if seenUpdates != expectedUpdates {
            violations.append("updates \(seenUpdates), expected \(expectedUpdates)")
        }

        if case .disconnect(.closed) = input, wasAttached {
            require(running == nil && waiting == nil, "a turn outlived close 1000")
        }
        if case .message(let message) = input, case .cancel(let cancel) = message.body {
            judge(cancel, wasRunning: wasRunning, wasWaiting: wasWaiting, effects)
        }
        require((running == nil) == (openCall == nil), "a running turn has exactly one open call")
        require(running == nil || waiting == nil, "an ask waits beside a running turn")
    }

    /// What has to hold when all timers have run and the model has said all.
    mutating func checkEnd() {
        require(running == nil && waiting == nil && openCall == nil, "something still runs")
        for asked in asked.values { require(asked.isOver, "an accepted ask never ended") }
    }

    // MARK: Asks

    private mutating func judge(_ ask: Ask, id: MessageID?, _ effects: [SessionEffect]) {
        guard let id else {
            require(effects.errors.first?.path == "id", "an ask without an id was not refused")
            return
        }
        if let known = asked[id] {
            require(!effects.contains { $0.isStartModel }, "a repeated ask called the model")
            if known.ask != ask {
                require(
                    effects.errors.first.map { $0.code == .badMessage && $0.path == "id" } ?? false,
                    "an id was used for two asks")
            } else if known.turn == nil {
                require(effects.isEmpty, "a repeated ask that waits had effects")
            } else if effects.errors.first?.code != .rateLimited {
                judgeResent(known, effects)
            }
            return
        }
        if let error = effects.errors.first {
            require(effects.count == 1, "a refused ask had other effects")
            switch error.code {
            case .busy: require(ask.whenBusy == .reject && (running != nil || waiting != nil), "busy without reason")
            case .rateLimited: require((error.retryMilliseconds ?? 0) > 0, "rate_limited without retry_ms")
            case .unknownTurn: require(ask.of != nil, "unknown_turn without a turn")
            case .badMessage: require(ask.text.isEmpty && ask.of == nil, "a good ask was refused")
            default: require(false, "unexpected \(error.code)")
            }
            return
        }
        require(
            ask.whenBusy == .supersede || (running == nil && waiting == nil), "reject did not keep the running turn")
        asked[id] = Asked(ask: ask, acceptedAt: now)
        acceptedOrder.append(id)
        let isDead = dead.contains { $0.id == id && $0.until > now }
        dead.removeAll { $0.id == id }
        let starts = effects.starts.filter { $0.re == id }
        let ends = effects.ends.filter { $0.re == id }
        if isDead {
            require(starts.count == 1 && ends.map(\.status) == [.cancelled], "a dead ask is over at once")
            require(!effects.contains { $0.isStartModel }, "a dead ask called the model")
        } else if let revision = ask.revision, revision > mirror.revision {
            require(starts.isEmpty, "an ask about a newer screen did not wait")
            require(effects.resyncs.map(\.why) == (owesSnapshot ? [] : [.gap]), "no snapshot was asked for")
            nextWaiting = id
        } else {
            require(starts.count == 1 && ends.isEmpty, "an accepted ask did not start")
            require(starts.first?.revision == (mirror.hasScreen ? mirror.revision : nil), "the wrong screen is pinned")
        }
        if let old = running {
            require(effects.ends.first.map { $0.turn == old.turn && $0.status == .superseded } ?? false, "no supersede")
        }
    }

    private mutating func judgeResent(_ known: Asked, _ effects: [SessionEffect]) {
        guard effects.count == 1, case .resend(let events) = effects[0] else {
            require(false, "a repeated ask was not answered by its events")
            return
        }
        if events != known.events {
            // Only a log that had to give up the start may send less.
            require(mayHaveLost(known), "events differ")
            if known.isOver {
                require(events == known.events.suffix(1), "the end alone was expected")
            } else {
                require(events.elementsEqual(known.events.suffix(events.count)), "not the newest events")
            }
        }
    }

    /// The log holds runs of text as one, so it loses an event no earlier than this.
    private func mayHaveLost(_ known: Asked) -> Bool {
        guard let start = known.events.first?.seq else { return false }
        return start <= lastSeq - Int64(configuration.limits.logEvents)
    }

    private mutating func judge(
        _ cancel: Cancel, wasRunning: Running?, wasWaiting: MessageID?, _ effects: [SessionEffect]
    ) {
        let isHit: Bool
        switch cancel {
        case .turn(let turn): isHit = wasRunning?.turn == turn
        case .ask(let ask):
            isHit = wasRunning?.ask == ask || wasWaiting == ask
            if asked[ask] == nil {
                dead.removeAll { $0.until <= now || $0.id == ask }
                if dead.count >= configuration.deadAsks { dead.removeFirst() }
                dead.append((ask, now + configuration.askMemory))
            }
        }
        require(effects.ends.map(\.status) == (isHit ? [.cancelled] : []), "a cancel ended the wrong thing")
        require(effects.errors.isEmpty, "a cancel was refused")
    }

    /// Ten minutes after it was accepted an id is free, but not before its turn is over, nor before an older one is.
    private mutating func forget() {
        while let id = acceptedOrder.first, let entry = asked[id], entry.isOver,
            entry.acceptedAt + configuration.askMemory <= now
        {
            acceptedOrder.removeFirst()
            asked[id] = nil
        }
    }

    // MARK: Answers to messages

    private mutating func judgeAnswers(_ message: ClientMessage, _ effects: [SessionEffect], wasOwing: Bool) {
        guard let id = message.id else {
            require(!effects.contains { $0.isOK }, "ok without an id")
            return
        }
        switch message.body {
        case .ask: return
        case .screenDelta where wasOwing: return
        default:
            require(effects.contains { $0.answers(id) }, "a message with an id has no answer")
        }
        if effects.errors.contains(where: { $0.code != .rateLimited }) {
            require(effects.count == 1, "a refused message had other effects")
        }
    }

    private mutating func close(_ result: StepResult) {
        guard shown.contains(where: { $0.turn == result.turn }) || lastTurn == result.turn.number else { return }
        guard result.turn.number == lastTurn else { return }
        for index in shown.indices { shown[index].steps.remove(result.step) }
        shown.removeAll { $0.steps.isEmpty && $0.ringUntil == nil }
    }

    // MARK: Effects

    private mutating func take(_ effect: SessionEffect, of input: Input) {
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
        case .cancelTimer, .resend, .setTimer: break
        }
    }

    private mutating func take(_ message: ServerMessage, of input: Input) {
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
        case .highlightUpdate(let update): seenUpdates.append(update)
        case .turnState(let turn, let state):
            require(turn == running?.turn, "a state of a turn that does not run")
            let order: [TurnState] = [.thinking, .answering, .repairing]
            let before = running?.state.flatMap { order.firstIndex(of: $0) } ?? -1
            require(order.firstIndex(of: state).map { $0 > before } ?? false, "a state out of order")
            running?.state = state
        case .bye, .error, .ok, .pong, .welcome: break
        }
    }

    private mutating func take(_ logged: LoggedEvent, of input: Input) {
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

    private mutating func begin(_ start: TurnStart, _ logged: LoggedEvent) {
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

    private mutating func finish(_ end: TurnEnd, _ logged: LoggedEvent) {
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

    private mutating func note(_ logged: LoggedEvent, turn: TurnID, _ input: Input) {
        require(turn == running?.turn, "an event of a turn that does not run")
        if case .model = input {} else { require(false, "an answer without a model's word") }
        if let ask = running?.ask { record(logged, of: ask, isEnd: false) }
    }

    private mutating func record(_ logged: LoggedEvent, of ask: MessageID, isEnd: Bool) {
        require(asked[ask]?.isOver == false && asked[ask]?.turn == running?.turn, "an event of an ask that is over")
        asked[ask]?.events.append(logged)
        if isEnd { asked[ask]?.isOver = true }
    }

    // MARK: Targets

    /// Rule 8: an element of the pinned screen that is still the same now, with its newest box.
    private mutating func target(_ id: ElementID, _ box: Box, _ revision: Int64, at: Int) -> ScreenMirror.Item? {
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

    private mutating func show(_ item: ScreenMirror.Item, ringUntil: Duration?, step: Int?) {
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
    private mutating func follow() {
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

extension [SessionEffect] {
    var errors: [ErrorMessage] {
        compactMap { if case .send(.error(let error)) = $0 { error } else { nil } }
    }

    var resyncs: [ScreenResync] {
        compactMap { if case .send(.screenResync(let resync)) = $0 { resync } else { nil } }
    }

    var starts: [TurnStart] {
        compactMap {
            guard case .append(let logged) = $0, case .turnStart(let start) = logged.event else { return nil }
            return start
        }
    }

    var ends: [TurnEnd] {
        compactMap {
            guard case .append(let logged) = $0, case .turnEnd(let end) = logged.event else { return nil }
            return end
        }
    }
}

extension SessionEffect {
    var isStartModel: Bool {
        if case .startModel = self { true } else { false }
    }

    var isOK: Bool {
        if case .send(.ok) = self { true } else { false }
    }

    /// Whether this is a direct answer to the message.
    func answers(_ id: MessageID) -> Bool {
        guard case .send(let message) = self else { return false }
        return switch message {
        case .error(let error): error.re == id
        case .ok(let re): re == id
        case .pong(let re, _): re == id
        case .screenAck(let ack): ack.re == id
        case .screenResync(let resync): resync.re == id
        case .bye, .highlightUpdate, .turnState, .welcome: false
        }
    }
}
