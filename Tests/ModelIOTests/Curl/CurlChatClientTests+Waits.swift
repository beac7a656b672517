// CurlChatClientTests: no stage of a call lasts for ever.
// Spec: docs/models.md

import ModelIO
import Testing
import TutorCore
import TutorProtocol

/// Ten seconds of keep-alive comments.
private let pings = Array(repeating: "{\"comment\": \"ping\"}, {\"pause_ms\": 50}", count: 200).joined(separator: ", ")

extension CurlChatClientTests {
    /// A wait that is over after 800 ms, in each stage of a call.
    ///
    /// Long enough that on a machine at work what should come before it does.
    @Test(
        arguments: [
            ("nothing comes", "{\"say\": \"a\", \"head_pause_ms\": 20000}", [.failed(.timeout)]),
            ("the head, then nothing", "{\"steps\": [], \"end\": \"hang\"}", [.failed(.timeout)]),
            (
                "only comments", "{\"steps\": [" + pings + "]}", [.failed(.timeout)]
            ),
            (
                "text, then nothing", "{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}",
                [.text("a"), .failed(.timeout)]
            ),
            (
                "a thought, then nothing", "{\"steps\": [{\"reasoning\": \"a\"}], \"end\": \"hang\"}",
                [.reasoning, .failed(.timeout)]
            ),
            (
                "the reason, then nothing",
                "{\"steps\": [{\"text\": \"a\"}, {\"finish\": \"stop\"}], \"end\": \"hang\"}",
                [.text("a"), .finished(.stop)]
            ),
            (
                "a bad status without its body",
                "{\"status\": 401, \"steps\": [], \"framing\": \"length\", \"declared_length\": 9, \"end\": \"hang\"}",
                [.failed(.refused(status: 401))]
            ),
        ] as [(String, String, [ModelEvent])])
    func doesNotWaitForever(name: String, answer: String, expected: [ModelEvent]) throws {
        let (endpoint, host) = try start("[\(answer)]") {
            $0.timeouts.firstByte = .milliseconds(800)
            $0.timeouts.firstDelta = .milliseconds(800)
            $0.timeouts.betweenBytes = .milliseconds(800)
            $0.timeouts.tail = .milliseconds(800)
        }
        host.model?.start(request(), token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(host.events(of: 1) == expected)
        let time = try #require(host.records.last).at
        #expect(time > .milliseconds(780))
        #expect(time < .seconds(8))
        // An endpoint that was given up is let go.
        host.run(for: .milliseconds(20))
        #expect(
            try endpoint.waits(for: .seconds(10)) { $0.first?["closed_by_client"]?.bool == true })
    }

    @Test func waitsLongerForTheFirstTokenThanBetweenTokens() throws {
        let (events, _, _) = try play(
            "[{\"steps\": [{\"role\": \"assistant\"}, {\"pause_ms\": 1500}, {\"text\": \"a\"}, {\"finish\": \"stop\"}]}]"
        ) {
            $0.timeouts.betweenBytes = .milliseconds(700)
            $0.timeouts.firstDelta = .seconds(20)
        }
        #expect(events == [.text("a"), .finished(.stop)])
    }

    @Test func endsACallThatNeverEnds() throws {
        let steps = Array(repeating: "{\"text\": \"a\"}, {\"pause_ms\": 40}", count: 500).joined(separator: ", ")
        let (events, time, _) = try play("[{\"steps\": [\(steps)]}]") { $0.timeouts.total = .seconds(1) }
        #expect(events.last == .failed(.timeout))
        #expect(text(of: events).count > 3)
        #expect(time > .milliseconds(980) && time < .seconds(10))
    }

    @Test func doesNotSpinWhileStreamsAreIdle() throws {
        let (endpoint, host) = try start("[{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}]")
        for token in 1...10 { host.model?.start(request(), token: UInt64(token)) }
        #expect(host.run { host.records.count == 10 })
        let wakeUps = host.wakeUps
        let before = ProcessorTime.ofThread
        host.run(for: .seconds(1))
        #expect(ProcessorTime.ofThread - before < .milliseconds(200))
        #expect(host.wakeUps - wakeUps < 20)
        _ = endpoint
    }
}
