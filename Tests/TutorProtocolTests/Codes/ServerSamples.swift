// ServerSamples: every message that the server can send, with every field that it can have.
// Spec: docs/protocol.md §2-§5, §10

import Testing
import TutorProtocol

/// Every message that the server can send, with every field that it can have, as it is written.
enum ServerSamples {
    /// The samples by `type`.
    static func all() throws -> [String: JSONValue] {
        var samples: [String: JSONValue] = [:]
        for message in try replies() {
            var buffer: [UInt8] = []
            EventEncoder().append(message, now: 0, to: &buffer)
            try add(buffer, to: &samples)
        }
        for event in try events() {
            var buffer: [UInt8] = []
            EventEncoder().append(LoggedEvent(seq: 2, event: event), fromSeq: 1, to: &buffer)
            try add(buffer, to: &samples)
        }
        return samples
    }

    private static func add(_ bytes: [UInt8], to samples: inout [String: JSONValue]) throws {
        let value = try JSONValue.parse(bytes)
        samples[try #require(value["type"]?.string)] = value
    }

    private static func replies() throws -> [ServerMessage] {
        let re = try #require(MessageID("c1"))
        let element = try #require(ElementID("e1"))
        let box = try #require(Box(x: 0, y: 0, width: 1, height: 1))
        return [
            .bye(Bye(reason: .drain, inMilliseconds: 1, resumable: true)),
            .error(
                ErrorMessage(re: re, code: .busy, message: "m", path: "p", retryMilliseconds: 1, isFatal: true)),
            .highlightUpdate(HighlightUpdate(turn: TurnID(1), element: element, box: box, revision: 1, why: .stale)),
            .limit(LimitNotice(scope: "s", used: 1, left: 1, resetMilliseconds: 1)),
            .ok(re: re),
            .pong(re: re, t: 1),
            .screenAck(ScreenAck(re: re, revision: 1, elements: 1, ids: [element])),
            .screenResync(ScreenResync(re: re, revision: 1, why: .gap)),
            .sessionSnapshot(try snapshot()),
            .turnState(TurnID(1), .thinking),
            .welcome(
                Welcome(
                    re: re, session: "s", key: "k", epoch: "e", resumed: .new, why: .unknown, lastSeq: 1,
                    screenRevision: 1, limits: Limits(), tokenExpiresAt: 0, version: "1")),
        ]
    }

    private static func snapshot() throws -> SessionSnapshot {
        let turn = TurnID(1)
        let re = try #require(MessageID("c1"))
        let element = try #require(ElementID("e1"))
        let box = try #require(Box(x: 0, y: 0, width: 1, height: 1))
        let shown = SessionSnapshot.Shown(
            highlights: [
                Highlight(turn: turn, at: 1, element: element, box: box, revision: 1, label: "l", ttlMilliseconds: 1)
            ],
            nextActions: [
                NextAction(turn: turn, at: 1, step: 1, verb: .tap, element: element, box: box, revision: 1, text: "t")
            ])
        let end = TurnEnd(
            turn: turn, re: re, status: .failed, reason: "length", answer: "a", summary: "s", dropped: [], usage: nil,
            firstTextMilliseconds: nil, durationMilliseconds: 1)
        return SessionSnapshot(
            lastSeq: 1, running: SessionSnapshot.Running(turn: turn, re: re, text: "t", shown: shown),
            turns: [SessionSnapshot.Ended(end, question: "q", shown: shown)])
    }

    private static func events() throws -> [TurnEvent] {
        let turn = TurnID(1)
        let re = try #require(MessageID("c1"))
        let element = try #require(ElementID("e1"))
        let box = try #require(Box(x: 0, y: 0, width: 1, height: 1))
        return [
            .answerDelta(AnswerDelta(turn: turn, text: "t")),
            .highlight(
                Highlight(turn: turn, at: 1, element: element, box: box, revision: 1, label: "l", ttlMilliseconds: 1)),
            .nextAction(
                NextAction(
                    turn: turn, at: 1, step: 1, verb: .tap, element: element, box: box, revision: 1, text: "t")),
            .stepObserved(StepObserved(turn: turn, step: 1, met: true)),
            .turnEnd(
                TurnEnd(
                    turn: turn, re: re, status: .failed, reason: "length", answer: "a", summary: "s",
                    dropped: [TurnEnd.Dropped(element: "e9", why: .stale)],
                    usage: TurnEnd.Usage(input: 1, cached: 1, output: 1, estimated: true), firstTextMilliseconds: 1,
                    durationMilliseconds: 1)),
            .turnStart(
                TurnStart(
                    turn: turn, cause: .ask, re: re, revision: 1, model: "m", hintLevel: 1,
                    context: TurnStart.Context())),
        ]
    }
}
