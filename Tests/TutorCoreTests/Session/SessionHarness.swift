// SessionHarness: a session with a clock, timers and a model that a test moves by hand.
// Spec: docs/session.md

import ScreenCore
import Testing
import TutorCore
import TutorProtocol

/// A session with a clock, timers and a model that a test moves by hand.
///
/// Carries out effects as a host does.
struct SessionHarness {
    /// What came out, in order.
    enum Line: Hashable {
        case event(TurnEvent)
        case message(ServerMessage)
        case resent([EventLog.Merged])
    }

    /// Milliseconds since 1970 when the clock of the session stood at 100 s.
    static let wallStart: Int64 = 1_700_000_000_000

    var session: Session
    var now: Duration = .seconds(100)
    /// Everything that came out since the last ``takeLines()``.
    private(set) var lines: [Line] = []
    /// The effects of the last input.
    private(set) var effects: [SessionEffect] = []
    private(set) var requests: [ModelCallID: ModelRequest] = [:]
    /// Calls that were started and neither ended nor cancelled.
    private(set) var openCalls: [ModelCallID] = []
    private(set) var cancelledCalls: [ModelCallID] = []
    private(set) var timers: [SessionTimer: Duration] = [:]
    private(set) var isExpired = false

    init(
        configuration: SessionConfiguration = SessionConfiguration(), hello: Hello = Hello(role: .student),
        seed: UInt64 = 1
    ) {
        session = Session(
            id: "s_1", epoch: "e1", hello: hello, configuration: configuration, seed: seed, now: now,
            wallNow: Self.wallStart)
    }

    /// A session whose screen is ``TestScreen/algebra()`` already, with nothing said about it.
    static func onAlgebra(_ change: (inout SessionConfiguration) -> Void = { _ in }) throws -> SessionHarness {
        var configuration = SessionConfiguration()
        change(&configuration)
        var harness = SessionHarness(configuration: configuration)
        harness.send(.screenSnapshot(try TestScreen.algebra()))
        _ = harness.takeLines()
        return harness
    }

    // MARK: Inputs

    @discardableResult
    mutating func send(_ body: ClientMessage.Body, id: String? = nil) -> [SessionEffect] {
        run(session.receive(ClientMessage(id: id.flatMap(MessageID.init), body: body), now: now))
    }

    @discardableResult
    mutating func ask(_ text: String = "Why is this wrong?", id: String) -> [SessionEffect] {
        send(.ask(Ask(text: text)), id: id)
    }

    /// An event of the newest call that is open.
    @discardableResult
    mutating func model(_ event: ModelEvent) -> [SessionEffect] {
        guard let call = openCalls.last else {
            Issue.record("no call is open")
            return []
        }
        return model(event, of: call)
    }

    @discardableResult
    mutating func model(_ event: ModelEvent, of call: ModelCallID) -> [SessionEffect] {
        switch event {
        case .failed, .finished: openCalls.removeAll { $0 == call }
        case .reasoning, .text, .usage: break
        }
        return run(session.receive(event, of: call, now: now))
    }

    /// The newest call says all this in one piece and is done.
    mutating func answer(_ text: String, _ reason: FinishReason = .stop) {
        model(.text(text))
        model(.finished(reason))
    }

    /// Moves the clock, and fires what is due on the way.
    mutating func wait(_ time: Duration) {
        let end = now + time
        while let next = timers.filter({ $0.value <= end }).min(by: {
            ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
        }) {
            timers[next.key] = nil
            now = max(now, next.value)
            run(session.fire(next.key, now: now))
        }
        now = end
    }

    @discardableResult
    mutating func fire(_ timer: SessionTimer) -> [SessionEffect] {
        run(session.fire(timer, now: now))
    }

    @discardableResult
    mutating func disconnect(_ how: Disconnect) -> [SessionEffect] {
        run(session.disconnect(how, now: now))
    }

    @discardableResult
    mutating func run(_ effects: [SessionEffect]) -> [SessionEffect] {
        self.effects = effects
        for effect in effects {
            switch effect {
            case .append(let logged): lines.append(.event(logged.event))
            case .cancelModel(let call):
                cancelledCalls.append(call)
                openCalls.removeAll { $0 == call }
            case .cancelTimer(let timer): timers[timer] = nil
            case .expire: isExpired = true
            case .feedback, .follow, .forget: break
            case .resend(let events): lines.append(.resent(events))
            case .send(let message): lines.append(.message(message))
            case .setTimer(let timer, let wait): timers[timer] = now + wait
            case .startModel(let request, let call):
                requests[call] = request
                openCalls.append(call)
            }
        }
        return effects
    }

    // MARK: What came out

    mutating func takeLines() -> [Line] {
        defer { lines = [] }
        return lines
    }

    var events: [TurnEvent] {
        lines.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }

    var messages: [ServerMessage] {
        lines.compactMap { if case .message(let message) = $0 { message } else { nil } }
    }

    var starts: [TurnStart] {
        events.compactMap { if case .turnStart(let start) = $0 { start } else { nil } }
    }

    var ends: [TurnEnd] {
        events.compactMap { if case .turnEnd(let end) = $0 { end } else { nil } }
    }

    var highlights: [Highlight] {
        events.compactMap { if case .highlight(let highlight) = $0 { highlight } else { nil } }
    }

    var steps: [NextAction] {
        events.compactMap { if case .nextAction(let action) = $0 { action } else { nil } }
    }

    var updates: [HighlightUpdate] {
        messages.compactMap { if case .highlightUpdate(let update) = $0 { update } else { nil } }
    }

    var errors: [ErrorMessage] {
        messages.compactMap { if case .error(let error) = $0 { error } else { nil } }
    }

    var resyncs: [ScreenResync] {
        messages.compactMap { if case .screenResync(let resync) = $0 { resync } else { nil } }
    }

    var states: [TurnState] {
        messages.compactMap { if case .turnState(_, let state) = $0 { state } else { nil } }
    }

    var text: String {
        events.compactMap { if case .answerDelta(let delta) = $0 { delta.text } else { nil } }.joined()
    }

    /// The request of the newest call.
    var request: ModelRequest? {
        requests.max { $0.key < $1.key }?.value
    }

    /// The alias under which the newest call knows an element.
    func alias(_ id: String) throws -> Int {
        try #require(request?.lesson.elements.first { $0.element.id.rawValue == id }?.alias)
    }
}

/// Builds screens for tests: short names, one row an element.
enum TestScreen {
    static func element(
        _ id: String, _ content: String, kind: ElementKind = .text, row: Int = 0, states: ElementStates = []
    ) throws -> Element {
        Element(
            id: try #require(ElementID(id)), kind: kind, content: content, box: try box(row: row), states: states)
    }

    static func box(row: Int) throws -> Box {
        try #require(Box(x: 0.1, y: 0.05 + 0.1 * Double(row), width: 0.4, height: 0.06))
    }

    /// An equation with two steps, an input and a button.
    static func algebra(revision: Int64 = 1) throws -> ScreenSnapshot {
        ScreenSnapshot(
            revision: revision, title: "Algebra 1", url: "https://example.org/algebra",
            elements: [
                try element("e1", "2x + 3 = 7", kind: .math, row: 0), try element("e2", "2x = 10", kind: .math, row: 1),
                try element("e3", "x = 5", kind: .math, row: 2), try element("in", "", kind: .input, row: 3),
                try element("go", "Submit", kind: .button, row: 4),
            ])
    }

    static func id(_ id: String) throws -> ElementID {
        try #require(ElementID(id))
    }
}
