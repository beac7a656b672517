// SurvivalRun: one random life of a session that is written to a disk, crashes and is taken up again, from a seed.
// Spec: docs/protocol.md §2, §3, §5 rule 3; docs/reliability.md

import TutorCore
import TutorProtocol

/// One random life of a session that is written to a disk, crashes and is taken up again.
///
/// The client believes only what it was sent: its history must be exact after every `replay`, and be replaced by every
/// `snapshot`. Same seed, same life.
struct SurvivalRun {
    private(set) var violations: [String] = []
    /// What happened, for the report of a failure, and for the test that all of it happens.
    private(set) var story: [String] = []

    private var random: SplitMix64
    private let configuration: SessionConfiguration
    private var session: Session
    private var now: Duration = .seconds(10)
    private var epochCount = 1
    private var call: ModelCallID?

    private var store = ModelStore()
    private var inFlight: SessionWrite?
    /// Up to here all was to be forgotten.
    private var forgottenSeq: Int64 = 0
    /// Whether the disk takes nothing, and the host holds nothing back for it.
    private var isDegraded = false

    /// What happened in truth and was not undone by a crash.
    private var truth: [Int64: TurnEvent] = [:]
    /// What the epochs are worth: how far each counts.
    private var ends: [String: Int64] = [:]

    private var client = SurvivalClient()
    private var isConnected = false
    private var cursor: Int64 = 0
    private var asks: [(id: MessageID, ask: Ask)] = []
    private var askCount = 0

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        var configuration = SessionConfiguration()
        configuration.limits.asksPerMinute = 100_000
        if Int.random(in: 0...2, using: &random) == 0 {
            configuration.limits.logEvents = Int.random(in: 8...40, using: &random)
        }
        if Int.random(in: 0...3, using: &random) == 0 {
            configuration.mergedDeltaBytes = Int.random(in: 1...30, using: &random)
        }
        self.configuration = configuration
        session = Session(
            id: "s", epoch: "e1", hello: Hello(role: .student), configuration: configuration, seed: 1, now: now,
            wallNow: 1_700_000_010_000)
        take(session.open(re: nil, key: "k1", why: nil, version: "1"))
    }

    // MARK: The life

    mutating func run(steps: Int) {
        for _ in 0..<steps where violations.isEmpty { step() }
        // Whatever happened, in the end the client catches up and every ask is answered, once.
        isDegraded = false
        for _ in 0..<4 where violations.isEmpty { settle() }
        for (id, ask) in asks where !client.ended.contains(id) {
            // It may have ended under a snapshot that goes less far back: then the ask, sent again, tells.
            send(.ask(ask), id: id)
        }
        for (id, _) in asks { require(client.ended.contains(id), "an ask has no end: \(id)") }
        require(cursor == session.log.lastSeq, "the client did not reach the end")
    }

    private mutating func settle() {
        if !isConnected { resume() }
        for _ in 0..<400 where violations.isEmpty && call != nil { speak() }
        flush()
        read()
    }

    private mutating func step() {
        now += .milliseconds(pick(0...40))
        switch pick(0...99) {
        case 0...7: ask()
        case 8...10: repeatAsk()
        case 11...12: send(.cancel(.turn(TurnID(session.isBusy ? pick(1...9) : 1))), id: nil)
        case 13...47: speak()
        case 48...62: if isConnected { read() }
        case 63...70: if inFlight == nil, !isDegraded { inFlight = session.write(wallNow: wallNow) }
        case 71...79: finishWrite(isGood: true)
        case 80...81: finishWrite(isGood: false)
        case 82...83: disconnect()
        case 84...89: if !isConnected || pick(0...3) == 0 { resume() }
        case 90...92: crash()
        case 93: isDegraded = !isDegraded
        case 94: if pick(0...3) == 0 { send(.forget(all: false), id: nil) }
        default: if isConnected { read() }
        }
    }

    private mutating func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private var wallNow: Int64 { 1_700_000_000_000 + Int64(now / .milliseconds(1)) }

    private mutating func require(_ condition: Bool, _ rule: String) {
        if !condition { violations.append(rule) }
    }

    // MARK: The client

    private mutating func ask() {
        guard isConnected, let id = MessageID("q\(askCount)") else { return }
        askCount += 1
        let ask = Ask(text: "Why \(askCount)?")
        asks.append((id, ask))
        send(.ask(ask), id: id)
    }

    private mutating func repeatAsk() {
        guard isConnected, !asks.isEmpty else { return }
        let (id, ask) = asks[pick(0...(asks.count - 1))]
        send(.ask(ask), id: id)
    }

    private mutating func send(_ body: ClientMessage.Body, id: MessageID?) {
        guard isConnected else { return }
        take(session.receive(ClientMessage(id: id, body: body), now: now))
    }

    private mutating func resume() {
        isConnected = true
        // A client may have lost what it wrote down last; then it has less, never something else.
        let seq = pick(0...9) == 0 ? client.rewind(to: Int64(pick(0...Int(client.have)))) : client.have
        let hello = Hello(
            role: .student, resume: Hello.Resume(session: "s", key: "k", epoch: client.epoch, seq: seq))
        let mayReplay =
            ends[client.epoch, default: session.epoch == client.epoch ? session.log.lastSeq : -1] >= seq
            && session.log.canFollow(after: seq)
        let effects = session.resume(
            hello, re: nil, key: "k", keyGeneration: 1, version: "1", waitsForDisk: !isDegraded, now: now)
        guard let welcome = effects.welcome else { return require(false, "no welcome") }
        story.append("\(welcome.resumed.rawValue) at \(seq) of \(client.epoch)")
        require(welcome.resumed == (mayReplay ? .replay : .snapshot), "\(welcome.resumed), which was not expected")
        if welcome.resumed == .replay {
            for (place, event) in client.history {
                require(event.isPart(of: truth, endingAt: place), "a replay upon a history that never was: \(place)")
            }
        } else {
            for page in effects.pages { check(page) }
            let seq = effects.pages.first?.lastSeq ?? 0
            client.take(effects.pages, isKept: seq <= session.sendableSeq && seq > forgottenSeq)
        }
        client.epoch = welcome.epoch
        take(effects)
        // The client's duty: each ask without a start goes again.
        for (id, ask) in asks where !client.started.contains(id) { send(.ask(ask), id: id) }
    }

    private mutating func check(_ page: SessionSnapshot) {
        var bytes: [UInt8] = []
        EventEncoder().append(.sessionSnapshot(page), to: &bytes)
        require(bytes.count <= configuration.limits.serverMessageBytes, "a page is too long")
        for ended in page.turns {
            let isTrue = truth.contains { seq, event in
                guard seq <= page.lastSeq, case .turnEnd(let end) = event else { return false }
                return end.turn == ended.turn && end.answer == ended.answer && end.status == ended.status
            }
            require(isTrue, "a snapshot with an end that never was")
        }
    }

    private mutating func disconnect() {
        guard isConnected else { return }
        isConnected = false
        take(session.disconnect(.lost, now: now))
    }

    /// The connection writes what it may.
    private mutating func read() {
        let limit = isDegraded ? session.log.lastSeq : session.sendableSeq
        while cursor < limit, violations.isEmpty {
            guard let next = session.log.next(after: cursor, byteLimit: configuration.mergedDeltaBytes) else {
                // It was so slow that what it needs is gone.
                story.append("too slow")
                return disconnect()
            }
            // A run of text may go on behind the limit only if no start lies between, so it may leave.
            let first = next.fromSeq ?? next.event.seq
            require(first == cursor + 1, "a gap: \(first) after \(cursor)")
            require(next.event.event.isPart(of: truth, endingAt: next.event.seq), "another event at \(next.event.seq)")
            cursor = next.event.seq
            let isKept = next.event.seq <= session.savedSeq && next.event.seq > forgottenSeq
            if let violation = client.take(next, isKept: isKept) {
                violations.append(violation)
            }
        }
    }

    // MARK: The model

    private mutating func speak() {
        guard let call else { return }
        switch pick(0...11) {
        case 0:
            self.call = nil
            take(session.receive(.finished(.stop), of: call, now: now))
        case 1:
            self.call = nil
            take(session.receive(.failed(.timeout), of: call, now: now))
        default:
            take(session.receive(.text(["one ", "two ", "三 ", "4\n"][pick(0...3)]), of: call, now: now))
        }
    }

    // MARK: The disk

    private mutating func flush() {
        finishWrite(isGood: true)
        inFlight = session.write(wallNow: wallNow)
        finishWrite(isGood: true)
        require(session.write(wallNow: wallNow) == nil, "all is written, and there is more")
        require(session.sendableSeq == session.log.lastSeq, "all is written, and something is held back")
    }

    private mutating func finishWrite(isGood: Bool) {
        guard let write = inFlight else { return }
        inFlight = nil
        guard isGood else { return }
        commit(write)
        session.wrote(write)
        require(session.savedSeq >= write.events.last?.event.seq ?? 0, "saved, and not known to be")
    }

    private mutating func commit(_ write: SessionWrite) {
        for (entry, next) in zip(write.events, write.events.dropFirst()) {
            require(next.firstSeq == entry.event.seq + 1, "a write with a gap")
        }
        for entry in write.events {
            require(entry.event.event.isPart(of: truth, endingAt: entry.event.seq), "a write of what never was")
        }
        let names = write.session.epochs.map(\.name)
        require(Set(names).count == names.count && names.last == session.epoch, "epochs \(names)")
        require(names.count <= SessionRecord.maximumEpochs, "too many epochs")
        store.commit(write)
    }

    /// The process is gone, and with it all that is not on disk.
    private mutating func crash() {
        if isConnected { isConnected = false }
        if let write = inFlight, pick(0...1) == 0 { commit(write) }
        inFlight = nil
        call = nil
        epochCount += 1
        now += .seconds(pick(0...3))
        let limit = pick(0...3) == 0 ? pick(1...30) : 2_000
        guard let stored = store.load(limit: limit) else {
            story.append("crash without anything on disk")
            return beginAnew()
        }
        story.append("crash at \(session.log.lastSeq), \(stored.session.lastSeq) on disk")
        ends[session.epoch] = stored.session.lastSeq
        for (name, end) in ends where !stored.session.epochs.contains(where: { $0.name == name }) {
            // Never written, or older than those that are remembered: worth nothing.
            ends[name] = min(end, -1)
        }
        for seq in truth.keys where seq > stored.session.lastSeq { truth[seq] = nil }
        for id in client.acknowledged {
            require(store.turns.values.contains { $0.ask == id }, "an acknowledged ask is lost: \(id)")
        }
        session = Session(
            restoring: stored, epoch: "e\(epochCount)", hello: Hello(role: .student), configuration: configuration,
            seed: 1, now: now, wallNow: wallNow)
        let remembered = Array((stored.session.epochs.map(\.name) + [session.epoch]).suffix(8))
        for name in ends.keys where !remembered.contains(name) { ends[name] = -1 }
        noteRestart(from: stored)
    }

    /// What the restart itself added: the end of the turn that it cut.
    private mutating func noteRestart(from stored: StoredSession) {
        let added: [EventLog.Merged] = session.log.events(after: session.savedSeq) ?? []
        require(session.savedSeq == stored.session.lastSeq, "another last seq after the restart")
        require(added.count <= 1, "a restart that added more than an end")
        for event in added {
            truth[event.event.seq] = event.event.event
            guard case .turnEnd(let end) = event.event.event else {
                require(false, "a restart that added another event")
                continue
            }
            let hasStart = stored.events.contains { entry in
                if case .turnStart(let start) = entry.event.event { start.turn == end.turn } else { false }
            }
            if !hasStart { client.forgiveText(of: end.turn) }
            require(end.status == .failed && end.reason == "restarted", "a cut turn that did not fail")
        }
    }

    private mutating func beginAnew() {
        session = Session(
            id: "s", epoch: "e\(epochCount)", hello: Hello(role: .student), configuration: configuration, seed: 1,
            now: now, wallNow: wallNow)
        truth = [:]
        ends = [:]
        forgottenSeq = 0
        client = SurvivalClient()
        client.epoch = session.epoch
        isConnected = true
        take(session.open(re: nil, key: "k1", why: .unknown, version: "1"))
        for (id, ask) in asks { send(.ask(ask), id: id) }
    }

    // MARK: The host

    private mutating func take(_ effects: [SessionEffect]) {
        for effect in effects {
            switch effect {
            case .append(let logged):
                require(logged.seq == session.log.lastSeq || truth[logged.seq] == nil, "seq used twice")
                truth[logged.seq] = logged.event
                if case .turnStart(let start) = logged.event {
                    let again = truth.contains { seq, event in
                        if case .turnStart(let old) = event { old.re == start.re && seq != logged.seq } else { false }
                    }
                    require(!again, "an ask ran twice")
                }
            case .cancelModel: call = nil
            case .follow(let seq): cursor = seq
            case .forget:
                // The store works in order: what is under way is written, then all is erased.
                if let write = inFlight { store.commit(write) }
                store.erase()
                let early = inFlight
                inFlight = nil
                if let early { session.wrote(early) }
                client.acknowledged = []
                forgottenSeq = session.log.lastSeq
                // What was forgotten is not known after a crash, so it is not asked again either.
                asks = []
                story.append("forget")
            case .startModel(_, let id): call = id
            case .resend(let events):
                // A host keeps it behind the events before it, and those behind the disk.
                for event in events where event.event.seq <= session.sendableSeq { client.takeAgain(event) }
            case .send(.error(let error)):
                // The answer is older than all that is kept.
                if error.code == .unknownTurn, let re = error.re { client.giveUp(re) }
            case .cancelTimer, .expire, .feedback, .send, .setTimer: break
            }
        }
    }
}

extension TurnEvent {
    /// Whether the event is what happened up to this place: the event itself, or the sum of its pieces.
    func isPart(of truth: [Int64: TurnEvent], endingAt seq: Int64) -> Bool {
        guard case .answerDelta(let delta) = self else { return truth[seq] == self }
        var text = ""
        var place = seq
        while text.utf8.count < delta.text.utf8.count, case .answerDelta(let piece) = truth[place],
            piece.turn == delta.turn
        {
            text = piece.text + text
            place -= 1
        }
        return text == delta.text
    }
}
