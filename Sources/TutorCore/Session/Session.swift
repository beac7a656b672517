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
    /// The key to resume with, as the last `welcome` gave it; a secret.
    public internal(set) var key: String
    /// The epoch that `seq` counts in.
    public let epoch: String
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

    // What keeps clients honest.
    var asks: AskRegister
    var deadAsks: DeadAsks
    var askRate: TokenBucket
    var repeatRate: TokenBucket
    var deltaRate: TokenBucket
    /// Whether the client owes a snapshot.
    var awaitsSnapshot = false

    var timers = Timers()
    var random: SplitMix64
    /// The time of the newest input; never goes back.
    var now: Duration
    private var effects: [SessionEffect] = []

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - id: Its public name.
    ///   - key: The secret to resume it with.
    ///   - epoch: The epoch that its `seq` counts in.
    ///   - hello: The client's first message.
    ///   - configuration: The settings and bounds.
    ///   - seed: What the session's random numbers come from.
    ///   - now: Monotonic time since the process began.
    public init(
        id: String, key: String, epoch: String, hello: Hello, configuration: SessionConfiguration, seed: UInt64,
        now: Duration
    ) {
        self.id = id
        self.key = key
        self.epoch = epoch
        self.hello = hello
        self.configuration = configuration
        self.now = now
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
        case .cancel(let cancel): take(cancel, id: message.id)
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
