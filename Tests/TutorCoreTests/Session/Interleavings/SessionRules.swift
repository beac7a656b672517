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
        case attach(Hello)
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
    var violations: [String] = []
    var mirror = ScreenMirror()
    var asked: [MessageID: Asked] = [:]
    /// Their ids, oldest first.
    var acceptedOrder: [MessageID] = []
    var running: Running?
    var waiting: MessageID?
    var openCall: ModelCallID?
    var lastSeq: Int64 = 0
    var owesSnapshot = false
    var isAttached = true
    var lastTurn = 0
    var lastCall = 0
    var shown: [Shown] = []
    var openSteps: Set<Int> = []
    var dead: [(id: MessageID, until: Duration)] = []
    var now: Duration = .zero

    // While one input is checked.
    /// The ask that waits when the effects of the input are through.
    var nextWaiting: MessageID?
    var expectedUpdates: [HighlightUpdate] = []
    var seenUpdates: [HighlightUpdate] = []

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
        case .attach(let hello):
            judge(hello, effects)
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

    mutating func judge(_ ask: Ask, id: MessageID?, _ effects: [SessionEffect]) {
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

    mutating func judgeResent(_ known: Asked, _ effects: [SessionEffect]) {
        guard effects.count == 1, case .resend(let merged) = effects[0] else {
            require(false, "a repeated ask was not answered by its events")
            return
        }
        let events = merged.map(\.event)
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
    func mayHaveLost(_ known: Asked) -> Bool {
        guard let start = known.events.first?.seq else { return false }
        return start <= lastSeq - Int64(configuration.limits.logEvents)
    }

    mutating func judge(
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
    mutating func forget() {
        while let id = acceptedOrder.first, let entry = asked[id], entry.isOver,
            entry.acceptedAt + configuration.askMemory <= now
        {
            acceptedOrder.removeFirst()
            asked[id] = nil
        }
    }

    // MARK: Answers to messages

    mutating func judgeAnswers(_ message: ClientMessage, _ effects: [SessionEffect], wasOwing: Bool) {
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

    mutating func close(_ result: StepResult) {
        guard shown.contains(where: { $0.turn == result.turn }) || lastTurn == result.turn.number else { return }
        guard result.turn.number == lastTurn else { return }
        for index in shown.indices { shown[index].steps.remove(result.step) }
        shown.removeAll { $0.steps.isEmpty && $0.ringUntil == nil }
    }
}
