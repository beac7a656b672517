// ActiveTurn: the turn that runs: what it is about, how far it got, what it has cost.
// Spec: docs/protocol.md §5, docs/session.md (a turn's states)

import ScreenCore
import TutorProtocol

/// The turn that runs.
///
/// It only keeps books; what they mean for the client is the session's business.
struct ActiveTurn: Sendable {
    /// Where a running turn is.
    ///
    /// ``Session`` says it to the client as `turn.state`.
    enum Phase: Sendable, Hashable {
        /// No text yet.
        case thinking
        /// Text came.
        case answering
        /// The text is complete; a second call looks for targets that exist.
        case repairing

        /// As `turn.state` says it.
        var wire: TurnState {
            switch self {
            case .thinking: .thinking
            case .answering: .answering
            case .repairing: .repairing
            }
        }
    }

    /// Its number.
    let id: TurnID
    /// The ask that it answers.
    let ask: AcceptedAsk
    /// The screen it is about; an empty one without a screen.
    let pinned: ScreenState
    /// The elements that may be pointed at, by alias.
    let sent: [Int: ElementSerial]
    /// What the prompt was made of; a repair adds a note to it.
    let prompt: PromptInput
    /// The question in structured form.
    let lesson: Lesson

    var phase = Phase.thinking
    /// The call whose events count.
    var call: ModelCall
    var parser = AnswerParser()

    // What the client has.
    private(set) var answer = ""
    /// Unicode scalars of ``answer``; what `at` counts.
    private(set) var scalarCount = 0
    private(set) var firstTextAt: Duration?
    private(set) var nextStep = 1
    /// Elements that have their ring already.
    private(set) var ringed: Set<ElementSerial> = []

    // What the model wanted.
    private(set) var targetCount = 0
    private(set) var aliveTargetCount = 0
    private(set) var dropped: [TurnEnd.Dropped] = []
    var summary: String?

    /// Tokens of the calls that are over.
    private(set) var usage: TurnEnd.Usage?

    init(
        id: TurnID, ask: AcceptedAsk, pinned: ScreenState, sent: [Int: ElementSerial], prompt: PromptInput,
        lesson: Lesson, call: ModelCall
    ) {
        self.id = id
        self.ask = ask
        self.pinned = pinned
        self.sent = sent
        self.prompt = prompt
        self.lesson = lesson
        self.call = call
    }

    /// Whether the answer says nothing.
    var isBlank: Bool { answer.unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Whether the model pointed at something and none of it could be shown.
    var lostAllTargets: Bool { targetCount > 0 && aliveTargetCount == 0 }

    /// Whether the model pointed at nothing at all.
    var hasNoTargets: Bool { targetCount == 0 }

    mutating func add(_ text: String, now: Duration) {
        answer += text
        scalarCount += text.unicodeScalars.count
        if firstTextAt == nil { firstTextAt = now }
    }

    mutating func noteTarget(isAlive: Bool) {
        targetCount += 1
        if isAlive { aliveTargetCount += 1 }
    }

    mutating func drop(_ target: TurnEnd.Dropped, limit: Int) {
        if dropped.count < limit { dropped.append(target) }
    }

    /// Whether the element gets its first ring.
    mutating func ring(_ serial: ElementSerial) -> Bool {
        ringed.insert(serial).inserted
    }

    /// The number of the next step; nil when there were enough.
    mutating func takeStep(limit: Int) -> Int? {
        guard nextStep <= limit else { return nil }
        defer { nextStep += 1 }
        return nextStep
    }

    /// Books the tokens of the call, which is over or given up.
    mutating func closeCall(estimator: TokenEstimator) {
        let spent = call.usage(estimator: estimator)
        guard let sum = usage else {
            usage = spent
            return
        }
        usage = TurnEnd.Usage(
            input: saturatingSum(sum.input, spent.input), cached: saturatingSum(sum.cached, spent.cached),
            output: saturatingSum(sum.output, spent.output), estimated: sum.estimated || spent.estimated)
    }
}

/// An endpoint may report any number.
private func saturatingSum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
}
