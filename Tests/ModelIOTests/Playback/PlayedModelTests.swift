// PlayedModelTests: the built-in and the scripted model against a clock that the test moves.
// Spec: docs/models.md (built-in and scripted model)

import ModelIO
import Testing
import TutorCore

/// A host with a clock of its own: time passes only when the test says so.
private final class SteppedHost {
    var now: Duration = .zero
    var due: Duration?
    var events: [(token: UInt64, event: ModelEvent, at: Duration)] = []
    var model: (any ModelClient)?
    var onEvent: ((UInt64, ModelEvent) -> Void)?

    var clock: MonotonicClock { MonotonicClock { [unowned self] in now } }

    func take(_ wish: HostRequest) {
        guard case .timer(let after) = wish else {
            Issue.record("a played model needs no socket")
            return
        }
        due = after.map { now + $0 }
    }

    func take(_ token: UInt64, _ event: ModelEvent) {
        events.append((token, event, now))
        onEvent?(token, event)
    }

    /// Runs until nothing is due, or until `limit`.
    func run(until limit: Duration = .seconds(1_000)) {
        while let next = due, next <= limit {
            now = max(now, next)
            due = nil
            model?.timerFired()
        }
    }

    func events(of token: UInt64) -> [ModelEvent] { joined(events.filter { $0.token == token }.map(\.event)) }
}

struct BuiltinModelTests {
    private func make(pause: Duration, limits: ModelLimits = ModelLimits()) -> SteppedHost {
        let host = SteppedHost()
        host.model = BuiltinModel(
            pause: pause, limits: limits, clock: host.clock, host: { [unowned host] in host.take($0) },
            handler: { [unowned host] in host.take($0, $1) })
        return host
    }

    @Test func answersWithThePacedTextOfTheTutor() throws {
        let host = make(pause: .milliseconds(12))
        let asked = request("Where is my mistake?")
        host.model?.start(asked, token: 1)
        #expect(host.events.isEmpty)
        host.run()
        let answer = BuiltinTutor().answer(to: asked.lesson)
        #expect(
            host.events(of: 1) == [
                .text(answer), .usage(ModelUsage(input: 0, cached: 0, output: 0)), .finished(.stop),
            ])
        let pieces = Array(TextPieces(text: answer))
        #expect(host.events.count == pieces.count + 2)
        #expect(host.events.map(\.at).prefix(3) == [.zero, .milliseconds(12), .milliseconds(24)])
        #expect(host.due == nil)
    }

    @Test func answersAtOnceWithoutAPause() {
        let host = make(pause: .zero)
        host.model?.start(request(), token: 1)
        #expect(host.due == .zero)
        host.run()
        #expect(host.now == .zero)
        #expect(host.events.last?.event == .finished(.stop))
    }

    @Test func keepsUpAfterALateTimer() {
        let host = make(pause: .milliseconds(12))
        host.model?.start(request(), token: 1)
        host.run(until: .zero)
        host.now = .milliseconds(30)
        host.due = nil
        host.model?.timerFired()
        #expect(host.events.count == 3)
        #expect(host.due == .milliseconds(36))
    }

    @Test func cancelsAndStaysSilent() {
        let host = make(pause: .milliseconds(12))
        host.model?.start(request(), token: 1)
        host.model?.start(request(), token: 2)
        host.run(until: .milliseconds(20))
        let before = host.events(of: 1)
        host.model?.cancel(token: 1)
        host.model?.cancel(token: 1)
        host.model?.cancel(token: 99)
        host.run()
        #expect(host.events(of: 1) == before)
        #expect(host.events(of: 2).last == .finished(.stop))
        host.model?.cancel(token: 2)
        #expect(host.due == nil)
    }

    @Test func letsTheHandlerCancelAndStart() {
        let host = make(pause: .zero)
        host.onEvent = { [unowned host] token, _ in
            guard token == 1 else { return }
            host.model?.cancel(token: 1)
            host.model?.start(request(), token: 2)
        }
        host.model?.start(request(), token: 1)
        host.run()
        #expect(host.events.filter { $0.token == 1 }.count == 1)
        #expect(host.events(of: 2).last == .finished(.stop))
    }

    @Test func refusesTooManyCalls() {
        var limits = ModelLimits()
        limits.playedCalls = 2
        let host = make(pause: .milliseconds(12), limits: limits)
        for token in 1...3 { host.model?.start(request(), token: UInt64(token)) }
        host.run()
        #expect(host.events(of: 2).last == .finished(.stop))
        #expect(host.events(of: 3) == [.failed(.unavailable(detail: "too many calls at once"))])
    }

    @Test func playsAThousandCallsInOrder() {
        let host = make(pause: .milliseconds(12))
        for token in 1...1_000 { host.model?.start(request(), token: UInt64(token)) }
        for token in stride(from: 2, through: 1_000, by: 2) { host.model?.cancel(token: UInt64(token)) }
        host.run()
        #expect(Set(host.events.map(\.token)) == Set(stride(from: 1, through: 999, by: 2).map { UInt64($0) }))
        #expect(host.events.prefix(500).map(\.token) == stride(from: 1, through: 999, by: 2).map { UInt64($0) })
        let isOrdered = zip(host.events, host.events.dropFirst()).allSatisfy { $0.at <= $1.at }
        #expect(isOrdered)
    }

    @Test func standsStillWhilePaused() {
        let host = make(pause: .milliseconds(12))
        for token in 1...2 { host.model?.start(request(), token: UInt64(token)) }
        host.run(until: .milliseconds(20))
        let before = host.events(of: 1)
        host.now = .milliseconds(20)
        host.model?.pause(token: 1)
        host.model?.pause(token: 1)
        host.model?.pause(token: 99)
        host.run()
        #expect(host.events(of: 1) == before)
        #expect(host.events(of: 2).last == .finished(.stop))
        #expect(host.due == nil)
        host.now = .seconds(60)
        host.model?.resume(token: 1)
        host.model?.resume(token: 1)
        // What was left of the pause between two pieces, and no flood.
        #expect(host.due == .seconds(60) + .milliseconds(4))
        let count = host.events.count
        host.run(until: .seconds(60) + .milliseconds(20))
        #expect(host.events.count == count + 2)
        host.run()
        #expect(host.events(of: 1) == host.events(of: 2))
        host.model?.resume(token: 1)
        #expect(host.due == nil)
    }

    @Test(arguments: [Duration.zero, .milliseconds(12)])
    func letsTheHandlerPauseItsOwnCall(pause: Duration) {
        let host = make(pause: pause)
        host.onEvent = { [unowned host] token, _ in host.model?.pause(token: token) }
        host.model?.start(request(), token: 1)
        var pauses = 0
        while host.events(of: 1).last != .finished(.stop), pauses < 1_000 {
            let count = host.events.count
            host.run()
            #expect(host.events.count == count + 1)
            pauses += 1
            host.model?.resume(token: 1)
        }
        let asked = request()
        #expect(text(of: host.events(of: 1)) == BuiltinTutor().answer(to: asked.lesson))
    }

    @Test func pausesAtRandomMomentsChangeNothing() {
        for seed in 0..<50 {
            var random = SplitMix64(seed: UInt64(seed))
            let host = make(pause: .milliseconds(seed % 3 * 6))
            var paused: Set<UInt64> = []
            host.onEvent = { [unowned host] token, _ in
                #expect(!paused.contains(token))
                let other = random.next() % 5
                if random.next() % 4 == 0 {
                    paused.insert(other)
                    host.model?.pause(token: other)
                }
            }
            for token in 0..<UInt64(5) { host.model?.start(request(), token: token) }
            for _ in 0..<100 {
                let token = random.next() % 5
                if random.next() % 2 == 0 {
                    paused.insert(token)
                    host.model?.pause(token: token)
                } else {
                    paused.remove(token)
                    host.model?.resume(token: token)
                }
                host.run(until: host.now + .milliseconds(Int64(random.next() % 20)))
                host.now += .milliseconds(Int64(random.next() % 3))
            }
            host.onEvent = nil
            for token in 0..<UInt64(5) { host.model?.resume(token: token) }
            host.run()
            let asked = request()
            for token in 0..<UInt64(5) {
                #expect(text(of: host.events(of: token)) == BuiltinTutor().answer(to: asked.lesson))
                #expect(host.events(of: token).last == .finished(.stop))
            }
        }
    }

    @Test func stopsWhenShutDown() {
        let host = make(pause: .milliseconds(12))
        host.model?.start(request(), token: 1)
        host.run(until: .milliseconds(20))
        let count = host.events.count
        host.model?.shutDown()
        host.run()
        #expect(host.events.count == count)
        #expect(host.due == nil)
    }
}

struct ScriptedModelTests {
    private func play(_ scripts: [ModelScript], calls: Int) throws -> SteppedHost {
        let host = SteppedHost()
        host.model = try ScriptedModel(
            scripts: scripts, limits: ModelLimits(), clock: host.clock, host: { [unowned host] in host.take($0) },
            handler: { [unowned host] in host.take($0, $1) })
        for token in 1...calls {
            host.model?.start(request(), token: UInt64(token))
            host.run()
        }
        return host
    }

    @Test func playsItsScriptsInTurn() throws {
        let scripts = try ["a", "b"].map { try ModelScript(lines: Array("{\"text\":\"\($0)\"}".utf8)) }
        let host = try play(scripts, calls: 3)
        #expect((1...3).map { text(of: host.events(of: UInt64($0))) } == ["a", "b", "a"])
    }

    @Test func pausesAsWritten() throws {
        let lines = "{\"text\":\"a\"}\n{\"pause_ms\":500}\n{\"text\":\"b\"}"
        let host = try play([ModelScript(lines: Array(lines.utf8))], calls: 1)
        #expect(host.events.map(\.at) == [.zero, .milliseconds(500), .milliseconds(500)])
    }

    @Test func endsAScriptThatBreaksOff() throws {
        let stream = Array("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"cho".utf8)
        let host = try play([ModelScript(stream: stream)], calls: 1)
        #expect(host.events(of: 1) == [.text("a"), .failed(.unavailable(detail: "answer ended early"))])
    }

    @Test func needsAScript() {
        #expect(throws: ModelSettingsError.self) {
            try ScriptedModel(scripts: [], host: { _ in }, handler: { _, _ in })
        }
    }
}
