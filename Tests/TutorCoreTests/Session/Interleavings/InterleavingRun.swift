// InterleavingRun: one random life of a session, from a seed.
// Spec: docs/session.md (interleavings)

import ScreenCore
import TutorCore
import TutorProtocol

/// One random life of a session: everything that a client, a model, timers and a network may do, in an order that the
/// seed decides.
///
/// Same seed, same life.
struct InterleavingRun {
    private(set) var rules: SessionRules
    /// Every effect, for the comparison of two runs.
    private(set) var effects: [SessionEffect] = []
    /// What happened, for the report of a failure.
    private(set) var story: [String] = []

    private var random: SplitMix64
    private var session: Session
    private var now: Duration
    private var timers: [SessionTimer: Duration] = [:]
    /// What calls still have to say; those that are over keep talking for a while.
    private var calls: [ModelCallID: [ModelEvent]] = [:]
    private var openCall: ModelCallID?
    private var lateCalls: [ModelCallID] = []
    private var isAttached = true
    private var isExpired = false

    private var sentAsks: [(id: MessageID, ask: Ask)] = []
    private var nextAsk = 1
    private var nextMessage = 1
    private var reader: LogReader

    init(seed: UInt64, keepsStory: Bool = false) {
        random = SplitMix64(seed: seed)
        let configuration = Self.configuration(&random)
        rules = SessionRules(configuration: configuration)
        now = .seconds(Int.random(in: 0...1_000, using: &random))
        session = Session(
            id: "s", epoch: "e", hello: Hello(role: .student), configuration: configuration, seed: random.next(),
            now: now, wallNow: 1_700_000_000_000)
        reader = LogReader(byteLimit: configuration.mergedDeltaBytes)
        self.keepsStory = keepsStory
    }

    private let keepsStory: Bool

    /// Limits that are met now and then, so that their rules are met too.
    private static func configuration(_ random: inout SplitMix64) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        if chance(4, &random) { configuration.limits.logEvents = Int.random(in: 1...40, using: &random) }
        if chance(4, &random) { configuration.limits.highlights = Int.random(in: 1...2, using: &random) }
        configuration.limits.asksPerMinute = chance(4, &random) ? 3 : 10_000
        if chance(4, &random) { configuration.answerBytes = Int.random(in: 1...120, using: &random) }
        if chance(4, &random) { configuration.deadAsks = 2 }
        if chance(4, &random) { configuration.steps = 1 }
        if chance(4, &random) { configuration.droppedTargets = 1 }
        if chance(4, &random) { configuration.highlightLifetime = .seconds(2) }
        if chance(4, &random) { configuration.retention = .zero }
        if chance(4, &random) { configuration.mergedDeltaBytes = Int.random(in: 1...30, using: &random) }
        if chance(3, &random) { configuration.limits.deltaBurst = 3 }
        configuration.pointsAnywhere = chance(2, &random)
        return configuration
    }

    private static func chance(_ one: Int, _ random: inout SplitMix64) -> Bool {
        Int.random(in: 1...one, using: &random) == 1
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: The life

    mutating func run(steps: Int) {
        send(.screenSnapshot(snapshot()))
        for _ in 0..<steps where !isExpired && rules.violations.isEmpty { step() }
        settle()
    }

    private mutating func step() {
        switch pick(0...99) {
        case 0...11: sendAsk()
        case 12...15: repeatAsk()
        case 16...19: sendCancel()
        case 20...23: send(.screenSnapshot(snapshot()))
        case 24...35: send(.screenDelta(delta()))
        case 36...75: letModelSpeak()
        case 76...77: letLateModelSpeak()
        case 78...84: wait([1, 40, 500, 2_000, 9_000][pick(0...4)])
        case 85: wait([25_000, 700_000][pick(0...1)])
        case 86...89: changeConnection()
        case 90...92: report()
        case 93: send(.ping(Ping(t: 1)))
        case 94: send(.hello(Hello(role: .student)))
        case 95: send(.unsupported("hand"))
        case 96...97: fireEarly()
        default: read()
        }
    }

    /// Lets everything run out: the model says all, then all timers fire.
    private mutating func settle() {
        guard rules.violations.isEmpty else { return }
        switch pick(0...2) {
        case 0: disconnect(.closed)
        case 1: disconnect(.lost)
        default: break
        }
        if pick(0...1) == 0 { while openCall != nil, rules.violations.isEmpty { letModelSpeak() } }
        if isAttached { wait(2_000) } else { wait(20_000) }
        while openCall != nil, rules.violations.isEmpty { letModelSpeak() }
        while !lateCalls.isEmpty, rules.violations.isEmpty { letLateModelSpeak() }
        rules.checkEnd()
        read()
        for violation in reader.violations { rules.require(false, violation) }
    }

    // MARK: What a client does

    private mutating func send(_ body: ClientMessage.Body, id: MessageID? = nil) {
        var id = id
        if id == nil, pick(0...1) == 0 {
            if case .ask = body {} else { id = MessageID("m\(nextMessage)") }
            nextMessage += 1
        }
        let message = ClientMessage(id: id, body: body)
        take(.message(message), session.receive(message, now: now))
    }

    private mutating func sendAsk() {
        var ask = Ask(text: ["Why is this wrong?", "what next", "为什么?"][pick(0...2)])
        if pick(0...3) == 0 { ask.revision = rules.mirror.revision + Int64(pick(-1...2)) }
        if pick(0...4) == 0 { ask.of = TurnID(pick(1...4)) }
        if pick(0...6) == 0 { ask.text = "" }
        if pick(0...4) == 0 { ask.whenBusy = .reject }
        if pick(0...4) == 0 { ask.hintLevel = pick(-1...9) }
        if pick(0...9) == 0 { return send(.ask(ask)) }
        guard let id = MessageID("q\(nextAsk)") else { return }
        nextAsk += 1
        sentAsks.append((id, ask))
        send(.ask(ask), id: id)
    }

    private mutating func repeatAsk() {
        guard !sentAsks.isEmpty else { return }
        var (id, ask) = sentAsks[pick(max(0, sentAsks.count - 4)...(sentAsks.count - 1))]
        if pick(0...5) == 0 { ask.text += "?" }
        send(.ask(ask), id: id)
    }

    private mutating func sendCancel() {
        if pick(0...1) == 0, let turn = rules.running?.turn { return send(.cancel(.turn(turn))) }
        if pick(0...3) == 0 { return send(.cancel(.turn(TurnID(pick(0...9))))) }
        // Now and then the id of an ask that is yet to come.
        if let id = MessageID("q\(max(1, nextAsk + pick(-3...2)))") { send(.cancel(.ask(id))) }
    }

    private mutating func report() {
        let turn = TurnID(max(1, (rules.running?.turn.number ?? 2) - pick(0...1)))
        guard let id = ElementID("e\(pick(0...9))") else { return }
        if pick(0...2) == 0 {
            send(.highlightMissed(HighlightMissed(turn: turn, element: id, why: "scrolled")))
        } else {
            send(.stepResult(StepResult(turn: turn, step: pick(0...3), ok: pick(0...1) == 0)))
        }
    }

    private mutating func changeConnection() {
        if isAttached, pick(0...3) > 0 {
            disconnect(pick(0...2) == 0 ? .closed : .lost)
        } else {
            isAttached = true
            // Anything between nothing and more than there is.
            let seq = rules.lastSeq - Int64(pick(-1...12))
            let hello = Hello(
                role: .student,
                resume: Hello.Resume(session: "s", key: "k", epoch: pick(0...4) == 0 ? "x" : "e", seq: max(0, seq)))
            take(
                .attach(hello),
                session.resume(hello, re: nil, key: "k2", keyGeneration: 1, version: "1", now: now))
            // The client's duty after a welcome.
            if pick(0...3) > 0 { send(.screenSnapshot(snapshot())) }
        }
    }

    private mutating func disconnect(_ how: Disconnect) {
        take(.disconnect(how), session.disconnect(how, now: now))
        isAttached = false
    }

    // MARK: What the screen does

    private mutating func element(_ id: ElementID) -> Element? {
        let kinds: [ElementKind] = [.text, .text, .math, .input, .button]
        let contents = ["alpha", "beta", "2x = 4", "x = 2", ""]
        guard let box = box() else { return nil }
        var element = Element(id: id, kind: kinds[pick(0...4)], content: contents[pick(0...4)], box: box)
        if pick(0...9) == 0 { element.states = pick(0...1) == 0 ? .hidden : .secure }
        return element
    }

    private mutating func box() -> Box? {
        Box(
            x: Double(pick(0...4)) / 8, y: Double(pick(0...7)) / 8, width: pick(0...9) == 0 ? 0 : 0.25,
            height: 0.125)
    }

    private mutating func snapshot() -> ScreenSnapshot {
        let revision = rules.mirror.revision + Int64(pick(0...9) == 0 ? -pick(0...3) : pick(1...2))
        var elements: [Element] = []
        for number in 0..<pick(0...9) where pick(0...3) > 0 {
            guard let id = ElementID("e\(number)") else { continue }
            // Mostly the element that was there.
            if pick(0...3) > 0, let old = rules.mirror.items[id]?.element {
                elements.append(old)
            } else if let element = element(id) {
                elements.append(element)
            }
        }
        if pick(0...19) == 0, let first = elements.first { elements.append(first) }
        return ScreenSnapshot(
            revision: max(0, revision), url: pick(0...9) == 0 ? "https://example.org/\(pick(0...2))" : nil,
            elements: elements)
    }

    private mutating func delta() -> ScreenDelta {
        let base = rules.mirror.revision + (pick(0...11) == 0 ? 1 : 0)
        var delta = ScreenDelta(base: base, revision: base + Int64(pick(1...2)))
        if pick(0...19) == 0 { delta.revision = rules.mirror.revision }
        let known = rules.mirror.items.keys.sorted { $0.rawValue < $1.rawValue }
        for id in known {
            switch pick(0...9) {
            case 0: delta.remove.append(id)
            case 1:
                delta.remove.append(id)
                if let item = rules.mirror.items[id] { delta.add.append(item.element) }
            case 2:
                var update = ElementUpdate(id: id, content: ["alpha", "beta", "x = 2"][pick(0...2)])
                if pick(0...5) == 0 { update.kind = .button }
                delta.update.append(update)
            case 3: delta.update.append(ElementUpdate(id: id, box: box()))
            case 4: delta.update.append(ElementUpdate(id: id, states: pick(0...1) == 0 ? .hidden : []))
            default: break
            }
        }
        if pick(0...4) == 0, let id = ElementID("e\(pick(0...12))"), rules.mirror.items[id] == nil,
            let element = element(id)
        {
            delta.add.append(element)
        }
        if pick(0...29) == 0, let id = ElementID("nobody") { delta.remove.append(id) }
        if pick(0...9) == 0, let by = Point(x: 0, y: -0.125) {
            let gone = Set(delta.remove)
            delta.move.append(
                ElementMove(by: by, target: pick(0...1) == 0 ? .all : .ids(known.filter { !gone.contains($0) })))
        }
        return delta
    }

    // MARK: What a model does

    private mutating func script(for request: ModelRequest) -> [ModelEvent] {
        let aliases = request.lesson.elements.map(\.alias)
        var text = ""
        for _ in 0..<pick(0...8) {
            let alias = aliases.isEmpty || pick(0...3) == 0 ? pick(90...99) : aliases[pick(0...(aliases.count - 1))]
            switch pick(0...9) {
            case 0...2: text += "[[\(alias)]]"
            case 3: text += "[[\(alias) tap]]"
            case 4: text += "[[\(alias) type:2]]"
            case 5: text += "`[[\(alias)]]` and $[[\(alias)]]$ "
            case 6: text += "“alpha” "
            case 7: text += "符号 👍🏽 "
            case 8: text += "\n"
            default: text += "Look at it. "
            }
        }
        if pick(0...2) == 0 { text += "\n[[sum: short line]]" }
        var events: [ModelEvent] = pick(0...3) == 0 ? [.reasoning] : []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pick(1...12))
            rest = rest.dropFirst(piece.count)
            events.append(.text(String(piece)))
        }
        if pick(0...1) == 0 { events.append(.usage(ModelUsage(input: 10, cached: 1, output: 5))) }
        switch pick(0...9) {
        case 0:
            events.removeLast(min(events.count, pick(0...3)))
            events.append(.failed([.timeout, .unavailable(detail: "x"), .refused(status: 400)][pick(0...2)]))
        case 1: events.append(.finished(.length))
        case 2: events.append(.finished([.contentFilter, .toolCalls][pick(0...1)]))
        default: events.append(.finished(.stop))
        }
        return events
    }

    private mutating func letModelSpeak() {
        guard let call = openCall, let event = calls[call]?.first else { return }
        speak(event, call)
    }

    /// The network still brings what a call said that is over.
    private mutating func letLateModelSpeak() {
        guard let call = lateCalls.first else { return }
        guard let event = calls[call]?.first else {
            calls[call] = nil
            lateCalls.removeFirst()
            return
        }
        speak(event, call)
    }

    private mutating func speak(_ event: ModelEvent, _ call: ModelCallID) {
        calls[call]?.removeFirst()
        switch event {
        case .failed, .finished: if call == openCall { openCall = nil }
        case .reasoning, .text, .usage: break
        }
        take(.model(event, call), session.receive(event, of: call, now: now))
    }

    // MARK: What time does

    private mutating func wait(_ milliseconds: Int) {
        let end = now + .milliseconds(milliseconds)
        while rules.violations.isEmpty,
            let next = timers.filter({ $0.value <= end }).min(by: {
                ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
            })
        {
            timers[next.key] = nil
            now = max(now, next.value)
            take(.fire(next.key), session.fire(next.key, now: now))
        }
        now = end
    }

    /// A firing that was under way when its timer was cancelled, or by a clock that runs fast.
    private mutating func fireEarly() {
        let timer = SessionTimer.allCases[pick(0...2)]
        take(.fire(timer), session.fire(timer, now: now))
    }

    /// A connection with a cursor writes when it can.
    private mutating func read() {
        reader.read(session.log)
    }

    // MARK: The host

    private mutating func take(_ input: SessionRules.Input, _ effects: [SessionEffect]) {
        if keepsStory { story.append("\(now): \(input)\n    -> \(effects)") }
        for effect in effects {
            switch effect {
            case .startModel(let request, let call):
                calls[call] = script(for: request)
                openCall = call
            case .cancelModel(let call):
                lateCalls.append(call)
                if call == openCall { openCall = nil }
            case .setTimer(let timer, let wait): timers[timer] = now + wait
            case .cancelTimer(let timer): timers[timer] = nil
            case .expire: isExpired = true
            case .append, .feedback, .follow, .forget, .resend, .send: break
            }
        }
        self.effects += effects
        rules.check(input, effects, at: now)
    }
}

/// A connection that reads the log by a cursor, seldom and merged, and checks that it has missed nothing.
private struct LogReader {
    let byteLimit: Int
    private(set) var violations: [String] = []
    private var seq: Int64 = 0
    private var turn: TurnID?
    private var text = ""

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    mutating func read(_ log: EventLog) {
        if seq < log.firstSeq - 1 {
            // What it wanted is gone: a real client gets a snapshot.
            seq = log.firstSeq - 1
            turn = nil
        }
        while let next = log.next(after: seq, byteLimit: byteLimit) {
            if (next.fromSeq ?? next.event.seq) != seq + 1 { violations.append("the reader missed something") }
            seq = next.event.seq
            switch next.event.event {
            case .turnStart(let start):
                turn = start.turn
                text = ""
            case .answerDelta(let delta): text += delta.text
            case .turnEnd(let end):
                if end.turn == turn, end.answer != text { violations.append("the reader has another answer") }
                turn = nil
            case .highlight, .nextAction, .stepObserved: break
            }
        }
        if seq != log.lastSeq { violations.append("the reader did not reach the end") }
    }
}
