// CurlChatClientTests: the real client against a real, scripted endpoint: answers.
// Spec: docs/models.md

import ModelIO
import Testing
import TutorCore
import TutorProtocol

// One after another, in all files of this suite: they measure time, and share an endpoint.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct CurlChatClientTests {
    /// Sets the endpoint's script, and makes a host for it.
    func start(
        _ script: String, change: (inout ModelSettings) -> Void = { _ in }
    ) throws -> (endpoint: ScriptedEndpoint, host: PollHost) {
        let endpoint = try ScriptedEndpoint.shared.get()
        try endpoint.play(script)
        var settings = endpoint.settings
        change(&settings)
        return (endpoint, try PollHost(settings))
    }

    /// Plays one call to its end.
    func play(
        _ script: String, change: (inout ModelSettings) -> Void = { _ in }
    ) throws -> (events: [ModelEvent], time: Duration, requests: [JSONValue]) {
        let (endpoint, host) = try start(script, change: change)
        let begin = host.now
        host.model?.start(request(), token: 1)
        #expect(host.run { host.hasEnded(1) })
        return (host.events(of: 1), host.now - begin, try endpoint.requests())
    }

    @Test func passesTextOnWhileTheStreamRuns() throws {
        let (endpoint, host) = try start(
            """
            [{"steps": [{"role": "assistant"}, {"text": "Look "}, {"pause_ms": 800}, {"text": "here."},
                        {"pause_ms": 800}, {"finish": "stop"}, {"usage": true}, {"done": true}]}]
            """)
        host.model?.start(request("你好?"), token: 7)
        #expect(host.records.isEmpty)
        #expect(host.run { host.hasEnded(7) })
        #expect(
            host.events(of: 7) == [
                .text("Look here."), .usage(ModelUsage(input: 100, cached: 64, output: 20)), .finished(.stop),
            ])
        let times = host.records.map(\.at)
        try #require(times.count == 4)
        #expect(times[1] - times[0] > .milliseconds(200))
        #expect(times[3] - times[1] > .milliseconds(200))
        let asked = try #require(try endpoint.requests().first)
        #expect(asked["path"]?.string == "/v1/chat/completions")
        #expect(asked["headers"]?["accept"]?.string == "text/event-stream")
        #expect(asked["headers"]?["content-type"]?.string == "application/json")
        #expect(asked["headers"]?["authorization"] == nil)
        #expect(asked["headers"]?["expect"] == nil)
        #expect(asked["body"]?["stream"]?.bool == true)
        #expect(asked["body"]?["stream_options"]?["include_usage"]?.bool == true)
        #expect(asked["body"]?["max_tokens"]?.int == 200)
        #expect(asked["body"]?["model"]?.string == "scripted")
        #expect(asked["body"]?["messages"]?[1]?["content"]?.string == "你好?")
    }

    @Test(arguments: [
        "\"split\": 1", "\"split\": \"random:7\"", "\"newline\": \"\\r\\n\"", "\"data_space\": false",
        "\"newline\": \"\\r\", \"split\": 3", "\"framing\": \"length\"", "\"framing\": \"close\"",
        "\"framing\": \"close\", \"end\": \"close\"",
    ])
    func readsEveryFraming(option: String) throws {
        let (events, _, _) = try play("[{\"say\": \"Schau 你好 👩‍🔬 [[3]].\", \(option)}]")
        #expect(text(of: events) == "Schau 你好 👩‍🔬 [[3]].")
        #expect(events.last == .finished(.stop))
    }

    @Test func readsAnAnswerThatIsNotStreamed() throws {
        let body = "{\\\"choices\\\":[{\\\"message\\\":{\\\"content\\\":\\\"all at once\\\"}}]}"
        let (events, _, _) = try play("[{\"body\": \"\(body)\"}]")
        #expect(events == [.text("all at once"), .finished(.stop)])
    }

    @Test func readsALongAnswer() throws {
        let words = (0..<2_000).map { "word\($0)" }.joined(separator: " ")
        let (events, _, _) = try play("[{\"say\": \"\(words)\"}]")
        #expect(text(of: events) == words)
        #expect(events.last == .finished(.stop))
    }
}
