// EventEncoderTests: the exact bytes of every message of the server.
// Spec: docs/protocol.md §2-§5, §10

import Testing
import TutorProtocol

@Suite("Server messages")
struct EventEncoderTests {
    private func encoded(_ message: ServerMessage, now: Int64? = nil, mapper: CoordinateMapper = .canonical) -> String {
        var buffer: [UInt8] = []
        EventEncoder(mapper: mapper).append(message, now: now, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    private func encoded(
        _ event: TurnEvent, seq: Int64 = 3, fromSeq: Int64? = nil, mapper: CoordinateMapper = .canonical
    ) -> String {
        var buffer: [UInt8] = []
        EventEncoder(mapper: mapper).append(LoggedEvent(seq: seq, event: event), fromSeq: fromSeq, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test func writesTheReplies() throws {
        let re = try messageID("c\"1")
        let table: [(ServerMessage, String)] = [
            (.ok(re: re), #"{"type":"ok","re":"c\"1"}"#),
            (.pong(re: nil, t: nil), #"{"type":"pong"}"#),
            (.pong(re: re, t: 1.5), #"{"type":"pong","re":"c\"1","t":1.5}"#),
            (.screenAck(ScreenAck(revision: 7, elements: 3)), #"{"type":"screen.ack","revision":7,"elements":3}"#),
            (
                .screenAck(ScreenAck(re: re, revision: 7, elements: 2, ids: [try elementID("a"), try elementID("b")])),
                #"{"type":"screen.ack","re":"c\"1","revision":7,"elements":2,"ids":["a","b"]}"#
            ),
            (
                .screenAck(ScreenAck(revision: 7, elements: 0, ids: [])),
                #"{"type":"screen.ack","revision":7,"elements":0,"ids":[]}"#
            ),
            (
                .screenResync(ScreenResync(revision: 7, why: .unknownID)),
                #"{"type":"screen.resync","revision":7,"why":"unknown_id"}"#
            ),
            (
                .screenResync(ScreenResync(re: re, revision: 0, why: .gap)),
                #"{"type":"screen.resync","re":"c\"1","revision":0,"why":"gap"}"#
            ),
            (.turnState(TurnID(1), .thinking), #"{"type":"turn.state","turn":"t1","state":"thinking"}"#),
            (
                .bye(Bye(reason: .drain, inMilliseconds: 1_500, resumable: true)),
                #"{"type":"bye","reason":"drain","in_ms":1500,"resumable":true}"#
            ),
            (
                .error(ErrorMessage(code: .internal, message: "our fault")),
                #"{"type":"error","code":"internal","message":"our fault","fatal":false}"#
            ),
            (
                .error(
                    ErrorMessage(
                        re: try messageID("c9"), code: .rateLimited, message: "too many", path: "elements[3].box",
                        retryMilliseconds: 1_200, isFatal: true)),
                #"{"type":"error","re":"c9","code":"rate_limited","message":"too many","path":"elements[3].box","retry_ms":1200,"fatal":true}"#
            ),
            (
                .highlightUpdate(
                    HighlightUpdate(
                        turn: TurnID(2), element: try elementID("e5"), box: try box(0.1, 0.2, 0.3, 0.4), revision: 9)),
                #"{"type":"highlight.update","turn":"t2","element":"e5","box":[0.1,0.2,0.3,0.4],"revision":9}"#
            ),
            (
                .highlightUpdate(
                    HighlightUpdate(
                        turn: TurnID(2), element: try elementID("e5"), box: nil, revision: 9, why: .removed)),
                #"{"type":"highlight.update","turn":"t2","element":"e5","box":null,"revision":9,"why":"removed"}"#
            ),
        ]
        for (message, text) in table {
            #expect(encoded(message) == text)
            #expect(throws: Never.self) { try JSONValue.parse(Array(text.utf8)) }
        }
    }

    @Test func pongTellsTheTimeThatTheHostGives() throws {
        #expect(
            encoded(.pong(re: nil, t: 1), now: 1_709_210_096_123)
                == #"{"type":"pong","t":1,"now":"2024-02-29T12:34:56.123Z"}"#)
    }

    @Test func writesAWelcome() throws {
        let limits =
            #"{"client_message_bytes":262144,"server_message_bytes":524288,"elements":2000,"content_bytes":2000,"url_bytes":8192,"json_depth":16,"object_keys":64,"question_bytes":8192,"delta_operations":500,"deltas_per_second":20,"delta_burst":40,"asks_per_minute":20,"log_events":2000,"log_bytes":1048576,"highlights":8,"message_id_bytes":64}"#
        let welcome = Welcome(
            session: "s_1", key: "k", epoch: "e", resumed: .new, lastSeq: 0, screenRevision: 0, limits: Limits(),
            version: "1.0.0")
        #expect(
            encoded(.welcome(welcome))
                == #"{"type":"welcome","session":"s_1","key":"k","epoch":"e","resumed":"new","why":null,"last_seq":0,"screen_revision":0,"limits":\#(limits),"policy":{"paused":false},"watchers":[],"version":"1.0.0"}"#
        )
        let resumed = Welcome(
            re: try messageID("h"), session: "s_1", key: "k", epoch: "e", resumed: .new, why: .expired, lastSeq: 47,
            screenRevision: 8, limits: Limits(), version: "1.0.0")
        #expect(
            encoded(.welcome(resumed))
                == #"{"type":"welcome","re":"h","session":"s_1","key":"k","epoch":"e","resumed":"new","why":"expired","last_seq":47,"screen_revision":8,"limits":\#(limits),"policy":{"paused":false},"watchers":[],"version":"1.0.0"}"#
        )
    }

    @Test func writesTheStartOfATurn() throws {
        let context = TurnStart.Context(
            elements: 31, sent: 12, promptTokens: 210, budget: 250, leftOut: ["table": 15, "navigation": 4],
            redacted: ["email": 1], summaries: 2)
        let start = TurnStart(
            turn: TurnID(1), cause: .ask, re: try messageID("q1"), revision: 8, model: "builtin", hintLevel: 2,
            context: context)
        #expect(
            encoded(.turnStart(start), seq: 1)
                == #"{"type":"turn.start","seq":1,"turn":"t1","cause":"ask","re":"q1","revision":8,"model":"builtin","hint_level":2,"context":{"elements":31,"sent":12,"prompt_tokens":210,"budget":250,"left_out":{"navigation":4,"table":15},"redacted":{"email":1},"summaries":2}}"#
        )
        let bare = TurnStart(
            turn: TurnID(12), cause: .follow, re: nil, revision: nil, model: "m", hintLevel: 0, context: .init())
        #expect(
            encoded(.turnStart(bare), seq: 99)
                == #"{"type":"turn.start","seq":99,"turn":"t12","cause":"follow","model":"m","hint_level":0,"context":{"elements":0,"sent":0,"prompt_tokens":0,"budget":0,"left_out":{},"redacted":{},"summaries":0}}"#
        )
    }

    @Test func writesWhatHappensInATurn() throws {
        let delta = AnswerDelta(turn: TurnID(1), text: "Look at \"line 2\":\n")
        #expect(
            encoded(.answerDelta(delta), seq: 2)
                == #"{"type":"answer.delta","seq":2,"turn":"t1","text":"Look at \"line 2\":\n"}"#)
        #expect(
            encoded(.answerDelta(delta), seq: 9, fromSeq: 4)
                == #"{"type":"answer.delta","seq":9,"from_seq":4,"turn":"t1","text":"Look at \"line 2\":\n"}"#)
        var highlight = Highlight(
            turn: TurnID(1), at: 25, element: try elementID("e5"), box: try box(0.08, 0.31, 0.36, 0.08), revision: 8,
            shape: .underline, label: "sign", ttlMilliseconds: 5_000)
        #expect(
            encoded(.highlight(highlight))
                == #"{"type":"highlight","seq":3,"turn":"t1","at":25,"element":"e5","box":[0.08,0.31,0.36,0.08],"revision":8,"kind":"underline","label":"sign","ttl_ms":5000}"#
        )
        highlight.label = nil
        #expect(
            encoded(.highlight(highlight))
                == #"{"type":"highlight","seq":3,"turn":"t1","at":25,"element":"e5","box":[0.08,0.31,0.36,0.08],"revision":8,"kind":"underline","ttl_ms":5000}"#
        )
        var action = NextAction(
            turn: TurnID(1), at: 60, step: 1, verb: .type, element: try elementID("e2"), box: try box(0, 0, 1, 1),
            revision: 8, text: "2")
        #expect(
            encoded(.nextAction(action), seq: 4)
                == #"{"type":"next_action","seq":4,"turn":"t1","at":60,"step":1,"verb":"type","element":"e2","box":[0,0,1,1],"revision":8,"text":"2"}"#
        )
        action.text = nil
        #expect(
            encoded(.nextAction(action), seq: 4)
                == #"{"type":"next_action","seq":4,"turn":"t1","at":60,"step":1,"verb":"type","element":"e2","box":[0,0,1,1],"revision":8}"#
        )
        #expect(
            encoded(.stepObserved(StepObserved(turn: TurnID(1), step: 2, met: true)), seq: 7)
                == #"{"type":"step.observed","seq":7,"turn":"t1","step":2,"met":true}"#)
    }

    @Test func writesTheEndOfATurn() throws {
        let end = TurnEnd(
            turn: TurnID(1), re: try messageID("q1"), status: .done, reason: nil, answer: "Yes.", summary: "Signs.",
            dropped: [.init(element: "e99", why: .unknown), .init(element: "14", why: .answerLeak)],
            usage: .init(input: 210, cached: 0, output: 64, estimated: false), firstTextMilliseconds: 180,
            durationMilliseconds: 900)
        #expect(
            encoded(.turnEnd(end), seq: 5)
                == #"{"type":"turn.end","seq":5,"turn":"t1","re":"q1","status":"done","reason":null,"answer":"Yes.","summary":"Signs.","dropped":[{"element":"e99","why":"unknown"},{"element":"14","why":"answer_leak"}],"usage":{"input":210,"cached":0,"output":64,"estimated":false},"first_text_ms":180,"duration_ms":900}"#
        )
        let bare = TurnEnd(
            turn: TurnID(2), re: nil, status: .failed, reason: "upstream_timeout", answer: "", summary: nil,
            dropped: [], usage: nil, firstTextMilliseconds: nil, durationMilliseconds: 0)
        #expect(
            encoded(.turnEnd(bare), seq: 6)
                == #"{"type":"turn.end","seq":6,"turn":"t2","status":"failed","reason":"upstream_timeout","answer":"","dropped":[],"duration_ms":0}"#
        )
    }

    @Test(arguments: [
        (Coordinates(origin: .topLeft, unit: .normalized), "[0.08,0.31,0.36,0.08]"),
        (Coordinates(origin: .bottomLeft, unit: .normalized), "[0.08,0.61,0.36,0.08]"),
        (Coordinates(origin: .topLeft, unit: .permille), "[80,310,360,80]"),
        (Coordinates(origin: .bottomLeft, unit: .permille), "[80,610,360,80]"),
        (Coordinates(origin: .topLeft, unit: .pixels), "[93.6,784.92,421.2,202.56]"),
        (Coordinates(origin: .bottomLeft, unit: .pixels), "[93.6,1544.52,421.2,202.56]"),
    ])
    func writesBoxesInTheClientsConvention(coordinates: Coordinates, expected: String) throws {
        let mapper = try #require(
            CoordinateMapper(coordinates: coordinates, size: ScreenSize(width: 1_170, height: 2_532)))
        let update = HighlightUpdate(
            turn: TurnID(1), element: try elementID("e"), box: try box(0.08, 0.31, 0.36, 0.08), revision: 1)
        #expect(
            encoded(.highlightUpdate(update), mapper: mapper)
                == #"{"type":"highlight.update","turn":"t1","element":"e","box":\#(expected),"revision":1}"#)
        let highlight = Highlight(
            turn: TurnID(1), at: 0, element: try elementID("e"), box: try box(0.08, 0.31, 0.36, 0.08), revision: 1,
            ttlMilliseconds: 1)
        #expect(encoded(.highlight(highlight), mapper: mapper).contains(#""box":\#(expected),"#))
    }

    @Test func appendsToWhatIsThere() {
        var buffer = Array("[".utf8)
        let encoder = EventEncoder()
        encoder.append(.pong(re: nil, t: 1), to: &buffer)
        buffer.append(UInt8(ascii: ","))
        encoder.append(LoggedEvent(seq: 1, event: .answerDelta(AnswerDelta(turn: TurnID(1), text: "漢"))), to: &buffer)
        #expect(
            String(decoding: buffer, as: UTF8.self)
                == #"[{"type":"pong","t":1},{"type":"answer.delta","seq":1,"turn":"t1","text":"漢"}"#)
    }
}
