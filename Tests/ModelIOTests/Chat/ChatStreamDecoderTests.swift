// ChatStreamDecoderTests: every vendor's stream, whole, odd and broken, cut anywhere.
// Spec: docs/models.md (rules of the adapter)

import ModelIO
import Testing
import TutorCore

/// One chunk with a delta.
private func delta(_ json: String, finish: String = "null") -> String {
    "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":\(json),\"finish_reason\":\(finish)}]}\n\n"
}

private func content(_ text: String) -> String { delta("{\"content\":\"\(text)\"}") }

private let stop = delta("{}", finish: "\"stop\"")
private let done = "data: [DONE]\n\n"
private let usage = "{\"prompt_tokens\":10,\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":8}}"
private let counted = ModelEvent.usage(ModelUsage(input: 10, cached: 8, output: 3))
private let early = ModelEvent.failed(.unavailable(detail: "answer ended early"))

struct StreamRow: Sendable, CustomTestStringConvertible {
    var name: String
    var body: String
    var events: [ModelEvent]
    var testDescription: String { name }

    init(_ name: String, _ body: String, _ events: [ModelEvent]) {
        self.name = name
        self.body = body
        self.events = events
    }
}

struct ChatStreamDecoderTests {
    static let whole: [StreamRow] = [
        StreamRow(
            "role, null content, text, usage chunk without choices",
            delta("{\"role\":\"assistant\",\"content\":null}") + content("Look at ") + content("[[3]].") + stop
                + "data: {\"choices\":[],\"usage\":\(usage)}\n\n" + done,
            [.text("Look at [[3]]."), counted, .finished(.stop)]),
        StreamRow(
            "no space, CR LF, comments",
            (": hello\n\n" + content("a") + ": ping\n\n" + content("b") + stop + done)
                .replacing("data: ", with: "data:").replacing("\n", with: "\r\n"),
            [.text("ab"), .finished(.stop)]),
        StreamRow(
            "CR only, with a byte order mark", "\u{FEFF}" + (content("a") + stop + done).replacing("\n", with: "\r"),
            [.text("a"), .finished(.stop)]),
        StreamRow(
            "a chunk over several data lines",
            "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\n" + done,
            [
                .text("a"), .finished(.stop),
            ]),
        StreamRow("no [DONE]", content("a") + stop, [.text("a"), .finished(.stop)]),
        StreamRow("no finish reason", content("a") + done, [.text("a"), .finished(.stop)]),
        StreamRow(
            "no blank line after [DONE]", content("a") + "data: [DONE]", [.text("a"), .finished(.stop)]),
        StreamRow(
            "no blank line after the last chunk", content("a") + String(stop.dropLast(2)),
            [.text("a"), .finished(.stop)]),
        StreamRow(
            "anything after [DONE]", content("a") + stop + done + content("b") + "data: {oops\n\n",
            [.text("a"), .finished(.stop)]),
        StreamRow(
            "usage in the choice",
            content("a")
                + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\",\"usage\":\(usage)}]}\n\n" + done,
            [.text("a"), counted, .finished(.stop)]),
        StreamRow(
            "usage in x_groq",
            content("a") + "data: {\"x_groq\":{\"usage\":\(usage)},\"choices\":[{\"delta\":{},"
                + "\"finish_reason\":\"stop\"}]}\n\n", [.text("a"), counted, .finished(.stop)]),
        StreamRow(
            "usage in every chunk: the last one counts",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}],\"usage\":{\"prompt_tokens\":1}}\n\n"
                + "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}],\"usage\":\(usage)}\n\n"
                + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}\n\n",
            [.text("ab"), counted, .finished(.stop)]),
        StreamRow(
            "cache hits in DeepSeek's field",
            content("a")
                + "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":1,"
                + "\"prompt_cache_hit_tokens\":4}}\n\n" + done,
            [.text("a"), .usage(ModelUsage(input: 9, cached: 4, output: 1)), .finished(.stop)]),
        StreamRow(
            "thoughts in either field, once a run",
            delta("{\"reasoning_content\":\"hm\",\"content\":null}") + delta("{\"reasoning_content\":\"hm\"}")
                + content("a") + delta("{\"reasoning\":\"hm\"}") + content("b") + stop,
            [.reasoning, .text("a"), .reasoning, .text("b"), .finished(.stop)]),
        StreamRow(
            "empty thoughts are none", delta("{\"reasoning_content\":\"\",\"content\":\"a\"}") + stop,
            [
                .text("a"), .finished(.stop),
            ]),
        StreamRow(
            "content in parts",
            delta(
                "{\"content\":[{\"type\":\"thinking\",\"thinking\":[]},"
                    + "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\"}]}") + stop,
            [.reasoning, .text("ab"), .finished(.stop)]),
        StreamRow(
            "a refusal is shown", delta("{\"content\":null,\"refusal\":\"I can't.\"}") + stop,
            [
                .text("I can't."), .finished(.stop),
            ]),
        StreamRow("null delta", delta("null") + content("a") + stop, [.text("a"), .finished(.stop)]),
        StreamRow(
            "another choice is not mixed in",
            "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"x\"},\"finish_reason\":\"length\"}]}\n\n"
                + content("a") + stop, [.text("a"), .finished(.stop)]),
        StreamRow(
            "unknown fields and events",
            "event: ping\ndata: {\"type\":\"ping\"}\n\nid: 4\nretry: 100\n"
                + "data: {\"choices\":[{\"delta\":{\"content\":\"a\",\"x\":[{\"y\":1.5e3}]},\"logprobs\":null}],"
                + "\"timings\":{\"n\":1}}\n\n" + stop, [.text("a"), .finished(.stop)]),
        StreamRow(
            "escapes", content("\\u4f60\\u597d \\ud83d\\udc69\\u200d\\ud83d\\udd2c \\\"\\\\ \\n") + stop,
            [.text("你好 👩‍🔬 \"\\ \n"), .finished(.stop)]),
        StreamRow("a lone surrogate", content("a\\ud83d b") + stop, [.text("a\u{FFFD} b"), .finished(.stop)]),
        StreamRow("no text at all", stop + done, [.finished(.stop)]),
        StreamRow(
            "an error that is null or empty",
            content("a").replacing("{\"id\"", with: "{\"error\":null,\"id\"")
                + content("b").replacing("{\"id\"", with: "{\"error\":{},\"id\"") + stop,
            [.text("ab"), .finished(.stop)]),
        StreamRow(
            "tool calls are not text",
            delta("{\"content\":\"a\"}")
                + delta(
                    "{\"tool_calls\":[{\"index\":0,\"id\":\"t1\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}")
                + delta("{}", finish: "\"tool_calls\""), [.text("a"), .finished(.toolCalls)]),
        StreamRow(
            "a whole completion that was not streamed",
            "\n {\"object\":\"chat.completion\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
                + "\"content\":\"你好 a\"},\"finish_reason\":\"length\"}],\"usage\":\(usage)}\n",
            [.text("你好 a"), counted, .finished(.length)]),
        StreamRow(
            "a whole completion without a finish reason", "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}",
            [.text("a"), .finished(.stop)]),
    ]

    static let broken: [StreamRow] = [
        StreamRow("nothing", "", [early]),
        StreamRow("only white space", " \r\n\n", [early]),
        StreamRow("cut after some text", content("a") + content("b"), [.text("ab"), early]),
        StreamRow(
            "cut inside a chunk", content("a") + String(content("bcd").dropLast(20)), [.text("a"), early]),
        StreamRow("only keep-alive comments", ": ping\n\n: ping\n\n", [early]),
        StreamRow("cut inside [DONE]", content("a") + "data: [DO", [.text("a"), early]),
        StreamRow("cut after a thought", delta("{\"reasoning\":\"hm\"}"), [.reasoning, early]),
        StreamRow(
            "error in the stream, after text",
            content("a")
                + "data: {\"error\":{\"message\":\"queue full\",\"type\":\"x\"}}\n\n" + content("b") + stop + done,
            [.text("a"), .failed(.invalid(detail: "queue full"))]),
        StreamRow(
            "error event", "event: error\ndata: {\"message\":\"out of memory\"}\n\n",
            [.failed(.invalid(detail: "out of memory"))]),
        StreamRow("error event in plain words", "event: error\ndata: oh no\n\n", [.failed(.invalid(detail: "oh no"))]),
        StreamRow(
            "error text", "data: {\"error\":\"no such model\"}\n\n", [.failed(.invalid(detail: "no such model"))]),
        StreamRow(
            "error object of vLLM", "data: {\"object\":\"error\",\"message\":\"bad\",\"code\":400}\n\n",
            [.failed(.invalid(detail: "bad"))]),
        StreamRow(
            "error in the choice",
            "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"error\","
                + "\"error\":{\"code\":502,\"message\":\"provider\"}}]}\n\n",
            [.text("a"), .failed(.unavailable(detail: "provider"))]),
        StreamRow(
            "overloaded", "data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}\n\n",
            [
                .failed(.unavailable(detail: "m"))
            ]),
        StreamRow(
            "rate limit in the stream", "data: {\"error\":{\"code\":429,\"message\":\"m\"}}\n\n",
            [
                .failed(.rateLimited(retryMilliseconds: nil))
            ]),
        StreamRow(
            "rate limit by name", "data: {\"error\":{\"code\":\"rate_limit_exceeded\"}}\n\n",
            [
                .failed(.rateLimited(retryMilliseconds: nil))
            ]),
        StreamRow(
            "usage goes before the error", "data: {\"usage\":\(usage),\"error\":\"x\"}\n\n",
            [
                counted, .failed(.invalid(detail: "x")),
            ]),
        StreamRow(
            "a chunk that is not json", content("a") + "data: {oops\n\n" + stop,
            [
                .text("a"), .failed(.invalid(detail: "chunk is not json")),
            ]),
        StreamRow(
            "a number in place of a chunk", "data: 17\n\n" + content("a") + stop, [.text("a"), .finished(.stop)]),
        StreamRow("[DONE] and nothing else", done, [.failed(.invalid(detail: "answer without choices"))]),
        StreamRow(
            "markup", "<!doctype html><p>502",
            [
                .failed(.invalid(detail: "markup in place of an event stream"))
            ]),
        StreamRow("gzip that nobody asked for", "\u{1F}\u{8B}", [.failed(.invalid(detail: "not an event stream"))]),
        StreamRow("plain text", "Service is fine\n", [.failed(.invalid(detail: "not an event stream"))]),
        StreamRow(
            "lines of json", "{\"message\":{}}\n{\"message\":{}}\n",
            [
                .failed(.invalid(detail: "neither an event stream nor json"))
            ]),
        StreamRow("json without choices", "{\"status\":\"ok\"}", [.failed(.invalid(detail: "answer without choices"))]),
        StreamRow("an error with status 200", "{\"error\":{\"message\":\"no\"}}", [.failed(.invalid(detail: "no"))]),
        StreamRow("an error in a list", "[{\"error\":{\"message\":\"no\"}}]", [.failed(.invalid(detail: "no"))]),
        StreamRow(
            "control characters in an error", "data: {\"error\":\"a\\u0000\\nb\"}\n\n",
            [
                .failed(.invalid(detail: "a  b"))
            ]),
    ]

    @Test(arguments: whole + broken)
    func everyCutGivesTheSameEvents(row: StreamRow) {
        for pieces in Cuts.all(of: Array(row.body.utf8)) {
            #expect(decode(pieces) == row.events)
        }
    }

    @Test(arguments: ["stop", "STOP", "eos", "end_turn", "something new"])
    func readsAnyOtherReasonAsStop(name: String) {
        #expect(decode([Array(delta("{}", finish: "\"\(name)\"").utf8)]) == [.finished(.stop)])
    }

    @Test(arguments: [
        ("length", FinishReason.length), ("max_tokens", .length), ("MAX_TOKENS", .length),
        ("content_filter", .contentFilter), ("function_call", .toolCalls),
    ])
    func readsTheReasons(name: String, reason: FinishReason) {
        #expect(decode([Array(delta("{}", finish: "\"\(name)\"").utf8)]) == [.finished(reason)])
    }

    @Test func replacesBytesThatAreNotText() {
        let body =
            Array("data: {\"choices\":[{\"delta\":{\"content\":\"a".utf8) + [0xFF, 0xE4, 0xBD]
            + Array("b\"}}]}\n\n".utf8) + Array(stop.utf8)
        for pieces in Cuts.all(of: body) {
            #expect(decode(pieces) == [.text("a\u{FFFD}\u{FFFD}b"), .finished(.stop)])
        }
    }

    @Test func keepsTheTextOfABrokenTransfer() {
        let reset = ChatStreamDecoder.End.broken(.unavailable(detail: "reset"))
        #expect(
            decode([Array(content("a").utf8)], end: reset) == [.text("a"), .failed(.unavailable(detail: "reset"))])
        #expect(decode([Array((content("a") + stop).utf8)], end: reset) == [.text("a"), .finished(.stop)])
        #expect(decode([Array("{\"choices\":[".utf8)], end: reset) == [.failed(.unavailable(detail: "reset"))])
        #expect(decode([], end: reset) == [.failed(.unavailable(detail: "reset"))])
    }

    @Test func cutsALongAnswerAtACharacter() {
        var limits = ModelLimits()
        limits.answerBytes = 8
        // 你 takes three bytes: two of them fit, and the third must not be cut in its middle.
        let body = Array((content("你") + content("好吗？") + stop + done).utf8)
        for pieces in Cuts.all(of: body) {
            #expect(decode(pieces, limits: limits) == [.text("你好"), .finished(.length)])
        }
    }

    @Test func endsAnAnswerWithALineThatIsTooLong() {
        var limits = ModelLimits()
        limits.lineBytes = 200
        let long = content(String(repeating: "x", count: 200))
        #expect(decode([Array((content("a") + long).utf8)], limits: limits) == [.text("a"), .finished(.length)])
        #expect(
            decode([Array(long.utf8)], limits: limits) == [.failed(.invalid(detail: "line or event too long"))])
    }

    @Test func endsABodyThatIsTooLong() {
        var limits = ModelLimits()
        limits.bodyBytes = 1_000
        let thought = Array(delta("{\"reasoning\":\"hm\"}").utf8)
        let events = decode(Array(repeating: thought, count: 100), limits: limits)
        #expect(events == [.reasoning, .failed(.invalid(detail: "response too long"))])
        limits = ModelLimits()
        limits.eventBytes = 100
        let document = Array(
            "{\"choices\":[{\"message\":{\"content\":\"\(String(repeating: "x", count: 100))\"}}]}".utf8)
        for pieces in Cuts.all(of: document) {
            #expect(decode(pieces, limits: limits) == [.failed(.invalid(detail: "answer too long"))])
        }
    }

    @Test func saysWhenOnlyTheCountIsMissing() {
        var decoder = ChatStreamDecoder()
        #expect(decoder.receive(Array(content("a").utf8)) == [.text("a")])
        #expect(!decoder.hasReason)
        #expect(decoder.receive(Array(stop.utf8)) == [])
        #expect(decoder.hasReason && !decoder.isDone)
        #expect(decoder.receive(Array(done.utf8)) == [.finished(.stop)])
        #expect(decoder.isDone)
        #expect(decoder.finish(.complete) == [])
    }

    @Test func joinsTheTextsOfOneRead() {
        var decoder = ChatStreamDecoder()
        #expect(decoder.receive(Array((content("a") + content("b") + content("c")).utf8)) == [.text("abc")])
    }

    @Test func survivesRandomBytes() {
        for seed in 0..<500 {
            var bytes = Array((content("a") + content("你") + stop + done).utf8)
            for (index, piece) in Cuts.pieces(of: bytes, seed: UInt64(seed), longest: 40).enumerated() where index < 6 {
                bytes[(piece.count &* 7 &+ index &* 31 &+ seed) % bytes.count] = UInt8(truncatingIfNeeded: seed &* 37)
            }
            let events = decode([bytes])
            #expect(decode(bytes.map { [$0] }) == events)
            #expect(
                events.filter { if case .finished = $0 { true } else if case .failed = $0 { true } else { false } }
                    .count == 1)
        }
    }
}
