// Session: one student's session as a state machine: inputs in, effects out.
// Spec: docs/protocol.md §2-§5, docs/session.md

public import ScreenCore
public import TutorProtocol

/// One student's session.
///
/// Every input is a `mutating func` that returns what is to be done; the host does it, in order.
///
/// Nothing here waits, reads a clock or draws a random number: times and the seed come in, so the same inputs give the
/// same effects. No input can trap it. What an input means is written in the `Session+…` file that takes it.
public struct Session: Sendable {
    /// The session's public name.
    public let id: String
    /// The settings and bounds.
    public let configuration: SessionConfiguration
    /// The epoch that `seq` counts in.
    public let epoch: String
    /// Whose session it is; nil where the server runs without tokens.
    public let subject: String?
    /// The room of the token; nil without one.
    public let room: String?
    /// The lowest generation of resume keys that is accepted; the next welcome gives the key of the generation after it.
    public internal(set) var keyGeneration: Int64 = 0
    /// What the client said of itself when it connected last.
    public internal(set) var hello: Hello
    /// Whether a connection belongs to the session.
    public internal(set) var isAttached = true
    /// What happened.
    public internal(set) var log: EventLog
    /// The student's screen.
    public internal(set) var screen = ScreenState()
    /// Rings that the client could not draw, oldest first; at most ``SessionConfiguration/missedHighlights``.
    public internal(set) var missedHighlights: [HighlightMissed] = []

    // The turn: at most one of the two is set.
    var active: ActiveTurn?
    var waiting: AcceptedAsk?
    var lastTurn = 0
    var lastCall = 0

    // What is shown of the newest turn.
    var live = LiveHighlights()
    var openSteps = OpenSteps()

    // What the next turn builds on.
    var aliases = AliasTable()
    var summaries = SummaryWindow()
    var history: TurnHistory
    var ladder = HintLadder()
    /// What changed since the last turn on this screen.
    var changed: Set<ElementSerial> = []
    /// How many elements went since the last turn on this screen.
    var goneCount = 0
    /// Whether there was a turn on this screen, so that "changed since" means something.
    var hadTurnOnScreen = false
    /// The input that the student changed last.
    var lastTouched: ElementSerial?

    /// The last turns that are over, oldest first; at most ``SessionConfiguration/snapshotTurns``.
    var recentEnds: [LoggedEvent] = []
    /// Whether the next new screen is only new since the server lost the old one.
    var lostScreen = false

    // What keeps clients honest.
    var asks: AskRegister
    var deadAsks: DeadAsks
    var askRate: TokenBucket
    var repeatRate: TokenBucket
    var deltaRate: TokenBucket
    /// Whether the client owes a snapshot.
    var awaitsSnapshot = false

    // What is on disk.
    /// The newest event that is on disk, or need not be.
    public internal(set) var savedSeq: Int64 = 0
    /// The first `turn.start` that is not on disk.
    var unsavedStart: Int64?
    /// The session as it is on disk; nil when it is not there.
    var savedRecord: SessionRecord?
    /// Turns that began or ended since they were written.
    var unsavedTurns: TurnHistory
    /// How often the session was erased.
    var erasures = 0
    /// Whether the log still holds events of an erased turn, for a client that has not got them yet.
    var holdsErased = false
    /// The epochs, oldest first, the running one last.
    var epochs: [SessionRecord.Epoch]
    /// When it began, in milliseconds since 1970.
    var createdAt: Int64
    /// Milliseconds from the zero of ``now`` to 1970, for what is kept across restarts.
    let wallTime: Int64

    var timers = Timers()
    var random: SplitMix64
    /// The time of the newest input; never goes back.
    var now: Duration
    private var effects: [SessionEffect] = []

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - id: Its public name.
    ///   - epoch: The epoch that its `seq` counts in.
    ///   - hello: The client's first message.
    ///   - configuration: The settings and bounds.
    ///   - seed: What the session's random numbers come from.
    ///   - now: Monotonic time since the process began.
    ///   - wallNow: The same moment in milliseconds since 1970.
    ///   - subject: Whose session it is, if the server knows.
    ///   - room: The room of the token, if any.
    public init(
        id: String, epoch: String, hello: Hello, configuration: SessionConfiguration, seed: UInt64, now: Duration,
        wallNow: Int64, subject: String? = nil, room: String? = nil
    ) {
        self.id = id
        self.epoch = epoch
        self.hello = hello
        self.configuration = configuration
        self.now = now
        self.subject = subject
        self.room = room
        createdAt = wallNow
        wallTime = wallNow - Int64(now.wholeMilliseconds)
        epochs = [SessionRecord.Epoch(name: epoch, end: nil)]
        unsavedTurns = TurnHistory(capacity: configuration.unsavedTurns)
        random = SplitMix64(seed: seed)
        let limits = configuration.limits
        log = EventLog(capacity: limits.logEvents, byteCapacity: limits.logBytes)
        history = TurnHistory(capacity: configuration.rememberedTurns)
        asks = AskRegister(
            capacity: configuration.rememberedAsks, memory: configuration.askMemory,
            answerBytes: configuration.rememberedAnswerBytes)
        deadAsks = DeadAsks(capacity: configuration.deadAsks, memory: configuration.askMemory)
        askRate = TokenBucket(count: limits.asksPerMinute, per: .seconds(60), burst: limits.asksPerMinute)
        // Repeating an ask costs no model, but it may send a long answer again.
        repeatRate = askRate
        deltaRate = TokenBucket(count: limits.deltasPerSecond, per: .seconds(1), burst: limits.deltaBurst)
    }

    /// Takes a message of the client.
    ///
    /// Without a connection there is nobody to answer: then it does nothing.
    public mutating func receive(_ message: ClientMessage, now: Duration) -> [SessionEffect] {
        guard isAttached else { return [] }
        advance(to: now)
        switch message.body {
        case .ask(let ask): take(ask, id: message.id)
        case .authRefresh:
            // The host knows tokens; the session knows none.
            refuse(message.id, .unsupported, "this server does not offer auth.refresh", path: "type")
        case .cancel(let cancel): take(cancel, id: message.id)
        case .feedback(let feedback): take(feedback, id: message.id)
        case .forget(let all): forget(all: all, id: message.id)
        case .hello: refuse(message.id, .badMessage, "hello was already said", path: "type")
        case .highlightMissed(let missed): take(missed, id: message.id)
        case .ping(let ping): emit(.send(.pong(re: message.id, t: ping.t)))
        case .screenDelta(let delta): take(delta, id: message.id)
        case .screenSnapshot(let snapshot): take(snapshot, id: message.id)
        case .stepResult(let result): take(result, id: message.id)
        case .unsupported(let type):
            refuse(message.id, .unsupported, "this server does not offer \(type)", path: "type")
        }
        return takeEffects()
    }

    /// Whether a turn runs or an ask waits for its screen.
    public var isBusy: Bool { active != nil || waiting != nil }

    /// How long each of its timers has still to wait: for a host that takes the session over from another.
    public func remainingTimers(now: Duration) -> [SessionTimer: Duration] { timers.remaining(now: now) }

    /// Between the screen's boxes and the client's convention.
    public var mapper: CoordinateMapper { screen.mapper(for: hello.coordinates) ?? .canonical }

    // MARK: Shared by the inputs

    /// Begins an input.
    mutating func advance(to now: Duration) {
        self.now = max(self.now, now)
    }

    /// Ends an input.
    mutating func takeEffects() -> [SessionEffect] {
        defer { effects = [] }
        return effects
    }

    mutating func emit(_ effect: SessionEffect) {
        effects.append(effect)
    }

    /// Puts an event into the log and out to whoever follows it.
    @discardableResult
    mutating func append(_ event: TurnEvent) -> LoggedEvent {
        let logged = log.append(event)
        if unsavedStart == nil, case .turnStart = event { unsavedStart = logged.seq }
        emit(.append(logged))
        return logged
    }

    /// Says that a message with an id was followed, where nothing else does.
    mutating func acknowledge(_ id: MessageID?) {
        if let id { emit(.send(.ok(re: id))) }
    }

    /// Says that a message was not followed.
    mutating func refuse(
        _ id: MessageID?, _ code: ErrorCode, _ message: String, path: String? = nil, retryAfter: Duration? = nil
    ) {
        emit(
            .send(
                .error(
                    ErrorMessage(
                        re: id, code: code, message: message, path: path,
                        retryMilliseconds: retryAfter.map(\.wholeMilliseconds)))))
    }

    mutating func setTimer(_ timer: SessionTimer, after wait: Duration) {
        timers.set(timer, until: now + wait)
        emit(.setTimer(timer, after: wait))
    }

    mutating func cancelTimer(_ timer: SessionTimer) {
        if timers.clear(timer) { emit(.cancelTimer(timer)) }
    }
}
