// CurlChatClientTests: a paused call costs nothing, and loses nothing.
// Spec: docs/models.md

import ModelIO
import Testing
import TutorCore
import TutorProtocol

/// Words that tell their place, so that a lost, doubled or exchanged one shows.
private func numbered(_ count: Int, of call: Int = 0) -> [String] { (0..<count).map { "\(call):\($0) " } }

/// An answer of the given texts as the endpoint's script, the first after the head and the rest as fast as it can.
private func answer(_ texts: [String], end: String = "") -> String {
    let steps =
        texts.map { "{\"text\": \"\($0)\"}" } + ["{\"finish\": \"stop\"}", "{\"usage\": true}", "{\"done\": true}"]
    return "{\"steps\": [\(steps.joined(separator: ", "))]\(end)}"
}

extension CurlChatClientTests {
    /// 6 MB of text, and the whole call paused after its first piece.
    @Test(arguments: ["http", "https"])
    func aPausedCallStopsItsEndpointWithoutCostAndLosesNothing(scheme: String) throws {
        let texts = (0..<1_500).map { "\($0)" + String(repeating: "x", count: 4_096) }
        let script = "[\(answer(texts))]"
        let secure = try scheme == "https" ? SecureEndpoint(script) : nil
        let endpoint = try secure?.endpoint ?? ScriptedEndpoint.shared.get()
        var settings = secure?.settings ?? endpoint.settings
        settings.limits.answerBytes = 16_777_216
        if secure == nil { try endpoint.play(script) }
        let host = try PollHost(settings)
        host.onEvent = { [unowned host] token, _ in if host.records.count == 1 { host.model?.pause(token: token) } }
        host.model?.start(request(), token: 1)
        #expect(host.run { !host.records.isEmpty })
        // Until the buffers between are full.
        host.run(for: .milliseconds(500))
        #expect(host.watched.isEmpty)
        let sent = try secure == nil ? endpoint.requests().first?["sent_bytes"]?.int : nil
        let (wakeUps, before) = (host.wakeUps, ProcessorTime.ofThread)
        host.run(for: .seconds(1))
        #expect(ProcessorTime.ofThread - before < .milliseconds(100))
        #expect(host.wakeUps - wakeUps < 5)
        #expect(host.records.count == 1)
        // The endpoint's own records cannot be asked for over TLS.
        if secure == nil {
            let record = try #require(try endpoint.requests().first)
            #expect(record["sent_bytes"]?.int == sent)
            #expect(record["answered"]?.bool == false)
        }
        host.model?.resume(token: 1)
        #expect(host.records.count == 1, "no event comes from inside resume")
        #expect(host.run { host.hasEnded(1) })
        // Not printed when it differs: it has megabytes.
        let isWhole = text(of: host.records.map(\.event)) == texts.joined()
        #expect(isWhole)
        #expect(
            host.records.suffix(2).map(\.event) == [
                .usage(ModelUsage(input: 100, cached: 64, output: 20)), .finished(.stop),
            ])
    }

    @Test(arguments: 1...4)
    func pausesAtRandomMomentsChangeNothing(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let texts = (0..<6).map { numbered(3_000, of: $0) }
        // The endpoint gives each call the answer whose number its question holds.
        let script = texts.enumerated().map { call, texts in
            "{\"match\": \"call-\(call)\", " + answer(texts).dropFirst()
        }
        let (_, host) = try start("[\(script.joined(separator: ", "))]")
        var paused: Set<UInt64> = []
        var cancelled: Set<UInt64> = []
        host.onEvent = { [unowned host] token, _ in
            #expect(!paused.contains(token) && !cancelled.contains(token))
            // From inside the handler too, also of another call.
            let other = random.next() % 6
            switch random.next() % 200 {
            case 0:
                if !cancelled.contains(other) {
                    paused.insert(other)
                    host.model?.pause(token: other)
                }
            case 1:
                paused.remove(other)
                host.model?.resume(token: other)
            case 2:
                paused.insert(token)
                host.model?.pause(token: token)
            default: break
            }
        }
        for call in 0..<6 { host.model?.start(request("call-\(call)"), token: UInt64(call)) }
        for _ in 0..<60 {
            let token = random.next() % 6
            switch random.next() % 16 {
            case 0 where cancelled.count < 2:
                cancelled.insert(token)
                paused.remove(token)
                host.model?.cancel(token: token)
            case 1...7:
                if !cancelled.contains(token) { paused.insert(token) }
                host.model?.pause(token: token)
            default:
                paused.remove(token)
                host.model?.resume(token: token)
            }
            host.run(for: .microseconds(Int64(random.next() % 4_000)))
        }
        host.onEvent = { token, _ in #expect(!cancelled.contains(token)) }
        for token in 0..<UInt64(6) { host.model?.resume(token: token) }
        let kept = (0..<UInt64(6)).filter { !cancelled.contains($0) }
        #expect(host.run { kept.allSatisfy(host.hasEnded) })
        for token in kept { #expect(text(of: host.events(of: token)) == texts[Int(token)].joined()) }
    }

    @Test func theEndOfAPausedCallComesWhenItGoesOn() throws {
        for end in ["", ", \"end\": \"close\"", ", \"framing\": \"close\""] {
            let (_, host) = try start("[\(answer(["a", "b"], end: end))]")
            host.model?.start(request(), token: 1)
            host.model?.pause(token: 1)
            host.run(for: .milliseconds(300))
            #expect(host.records.isEmpty)
            host.model?.resume(token: 1)
            #expect(host.run { host.hasEnded(1) })
            #expect(
                host.events(of: 1) == [
                    .text("ab"), .usage(ModelUsage(input: 100, cached: 64, output: 20)), .finished(.stop),
                ])
        }
    }

    @Test func aResetDuringAPauseCostsNothingAndKeepsWhatCame() throws {
        let script = "[{\"steps\": [{\"text\": \"a\"}, {\"pause_ms\": 100}, {\"text\": \"b\"}], \"end\": \"reset\"}]"
        let (_, host) = try start(script)
        host.onEvent = { [unowned host] token, _ in host.model?.pause(token: token) }
        host.model?.start(request(), token: 1)
        #expect(host.run { !host.records.isEmpty })
        host.run(for: .milliseconds(400))
        let (wakeUps, before) = (host.wakeUps, ProcessorTime.ofThread)
        host.run(for: .milliseconds(500))
        #expect(ProcessorTime.ofThread - before < .milliseconds(100))
        #expect(host.wakeUps - wakeUps < 5)
        #expect(host.events(of: 1) == [.text("a")])
        host.onEvent = nil
        host.model?.resume(token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(text(of: host.events(of: 1)) == "ab")
        guard case .failed(.unavailable) = host.events(of: 1).last else {
            Issue.record("\(host.events(of: 1))")
            return
        }
    }

    @Test func pausesAreNoFaultOfTheEndpoint() throws {
        let (_, host) = try start("[\(answer(numbered(20_000)))]") {
            $0.limits.answerBytes = 1_048_576
            $0.timeouts.firstDelta = .milliseconds(700)
            $0.timeouts.betweenBytes = .milliseconds(700)
            $0.timeouts.tail = .milliseconds(700)
        }
        host.model?.start(request(), token: 1)
        host.model?.pause(token: 1)
        host.run(for: .seconds(1))
        host.model?.resume(token: 1)
        #expect(host.run { host.records.count > 3 })
        host.model?.pause(token: 1)
        host.run(for: .seconds(1))
        host.model?.resume(token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(text(of: host.events(of: 1)) == numbered(20_000).joined())
        #expect(host.events(of: 1).last == .finished(.stop))
    }

    @Test func theTimeOfTheWholeCallRunsOnInAPause() throws {
        let (endpoint, host) = try start("[{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}]") {
            $0.timeouts.total = .milliseconds(800)
        }
        host.onEvent = { [unowned host] token, _ in host.model?.pause(token: token) }
        host.model?.start(request(), token: 1)
        #expect(host.run { !host.records.isEmpty })
        host.run(for: .milliseconds(1_000))
        #expect(try endpoint.waits(for: .seconds(10)) { $0.first?["closed_by_client"]?.bool == true })
        #expect(host.events(of: 1) == [.text("a")])
        host.model?.resume(token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(host.events(of: 1) == [.text("a"), .failed(.timeout)])
    }

    @Test func aPausedCallCanBeCancelled() throws {
        let endless = answer(numbered(20_000), end: ", \"end\": \"hang\"")
        let (endpoint, host) = try start("[\(endless), {\"say\": \"next\"}]")
        host.model?.start(request(), token: 1)
        host.model?.pause(token: 1)
        host.run(for: .milliseconds(200))
        host.model?.cancel(token: 1)
        host.model?.resume(token: 1)
        #expect(host.watched.isEmpty)
        #expect(try endpoint.waits(for: .seconds(10)) { $0.first?["closed_by_client"]?.bool == true })
        // Neither does an unknown or an ended call mind.
        host.model?.pause(token: 99)
        host.model?.resume(token: 99)
        host.model?.start(request(), token: 2)
        #expect(host.run { host.hasEnded(2) })
        host.model?.pause(token: 2)
        host.model?.resume(token: 2)
        #expect(host.records.allSatisfy { $0.token == 2 })
        #expect(text(of: host.events(of: 2)) == "next")
    }
}
