// EventDecoderTests: every event that is written is read back as it was.
// Spec: docs/protocol.md §5

import Testing
import TutorProtocol

@Suite("Event decoder")
struct EventDecoderTests {
    private func samples() throws -> [TurnEvent] {
        let turn = TurnID(12)
        let re = try #require(MessageID("c\"1"))
        let element = try #require(ElementID("e1"))
        let box = try #require(Box(x: 0.125, y: -0.5, width: 1, height: 0.000001))
        var events: [TurnEvent] = [
            .answerDelta(AnswerDelta(turn: turn, text: "a\n\"\\ü\u{1}😀")),
            .answerDelta(AnswerDelta(turn: turn, text: String(repeating: "long ", count: 500))),
            .stepObserved(StepObserved(turn: turn, step: 2, met: false)),
            .stepObserved(StepObserved(turn: turn, step: 1, met: true)),
        ]
        for label in [nil, "here"] {
            for shape in Highlight.Shape.allCases {
                events.append(
                    .highlight(
                        Highlight(
                            turn: turn, at: 3, element: element, box: box, revision: 9, shape: shape, label: label,
                            ttlMilliseconds: 8_000)))
            }
            for verb in NextAction.Verb.allCases {
                events.append(
                    .nextAction(
                        NextAction(
                            turn: turn, at: 0, step: 1, verb: verb, element: element, box: box, revision: 9,
                            text: label)))
            }
        }
        let full = TurnStart.Context(
            elements: 9, sent: 8, promptTokens: 7, budget: 6, leftOut: ["far": 2, "b\"": 1], redacted: ["email": 1],
            summaries: 3)
        for (re, revision, context) in [(re, 5, full), (nil, nil, TurnStart.Context())]
            as [(
                MessageID?, Int64?, TurnStart.Context
            )]
        {
            for cause in TurnStart.Cause.allCases {
                events.append(
                    .turnStart(
                        TurnStart(
                            turn: turn, cause: cause, re: re, revision: revision, model: "m", hintLevel: 2,
                            context: context)))
            }
        }
        let dropped = TurnEnd.Dropped.Why.allCases.map { TurnEnd.Dropped(element: "e\"9", why: $0) }
        let usage = TurnEnd.Usage(input: 4, cached: 3, output: 2, estimated: true)
        for status in TurnEnd.Status.allCases {
            for bits in 0..<32 {
                events.append(
                    .turnEnd(
                        TurnEnd(
                            turn: turn, re: bits & 1 > 0 ? re : nil, status: status,
                            reason: bits & 2 > 0 ? "restarted" : nil, answer: bits & 4 > 0 ? "text" : "",
                            summary: bits & 4 > 0 ? "s" : nil, dropped: bits & 8 > 0 ? dropped : [],
                            usage: bits & 16 > 0 ? usage : nil, firstTextMilliseconds: bits & 2 > 0 ? 7 : nil,
                            durationMilliseconds: 9)))
            }
        }
        return events
    }

    private func bytes(_ event: LoggedEvent, from first: Int64?) -> [UInt8] {
        var bytes: [UInt8] = []
        EventEncoder().append(event, fromSeq: first, to: &bytes)
        return bytes
    }

    @Test func everyEventIsReadBackAsItWas() throws {
        for (index, event) in try samples().enumerated() {
            for first in [nil, Int64(index + 1)] {
                let logged = LoggedEvent(seq: Int64(index + 2), event: event)
                let read = try EventDecoder().decode(bytes(logged, from: first))
                #expect(read.event == logged)
                #expect(read.fromSeq == first)
            }
        }
    }

    @Test func anEventThatIsCutAnywhereIsRefused() throws {
        for event in try samples().prefix(20) {
            let whole = bytes(LoggedEvent(seq: 5, event: event), from: 3)
            for count in 0..<whole.count where count < 300 {
                #expect(throws: JSONError.self) { try EventDecoder().decode([UInt8](whole.prefix(count))) }
            }
        }
    }

    @Test func changedBytesAreReadOrRefusedAndNeverTrap() throws {
        for event in try samples().prefix(30) {
            let whole = bytes(LoggedEvent(seq: 5, event: event), from: 3)
            for place in whole.indices where place < 300 {
                for mask: UInt8 in [0x01, 0x20, 0x80, 0xFF] {
                    var changed = whole
                    changed[place] ^= mask
                    _ = try? EventDecoder().decode(changed)
                }
            }
        }
    }

    @Test(arguments: [
        #"{}"#, #"[]"#, #"{"type":"nothing","seq":1,"turn":"t1"}"#,
        #"{"type":"answer.delta","seq":1,"turn":"t1"}"#,
        #"{"type":"answer.delta","seq":1,"from_seq":2,"turn":"t1","text":"x"}"#,
        #"{"type":"answer.delta","seq":-1,"turn":"t1","text":"x"}"#,
        #"{"type":"answer.delta","seq":1,"turn":"t1","text":"x"} x"#,
        #"{"type":"answer.delta","seq":1,"seq":1,"turn":"t1","text":"x"}"#,
        #"{"type":"step.observed","seq":1,"turn":"t1","step":1,"met":1}"#,
    ])
    func whatIsNoEventIsRefused(text: String) {
        #expect(throws: JSONError.self) { try EventDecoder().decode([UInt8](text.utf8)) }
    }

    @Test func fieldsOfALaterVersionArePassedOver() throws {
        let text = #"{"type":"answer.delta","seq":1,"turn":"t1","later":{"a":[1]},"text":"x"}"#
        let read = try EventDecoder().decode([UInt8](text.utf8))
        #expect(read.event == LoggedEvent(seq: 1, event: .answerDelta(AnswerDelta(turn: TurnID(1), text: "x"))))
    }
}
