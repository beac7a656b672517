// EventStreamParserTests: the stream grammar, cut anywhere, and its limits.
// Spec: WHATWG HTML §9.2.5 and §9.2.6

import Testing
import WireCore

/// What one stream came to.
private struct Outcome: Equatable {
    var events: [ServerSentEvent] = []
    var error: EventStreamError?
    var rest: ServerSentEvent?
    var retryMilliseconds: Int?
}

private func parse(_ pieces: [[UInt8]], line: Int = 65_536, event: Int = 262_144) -> Outcome {
    var parser = EventStreamParser(maximumLineBytes: line, maximumEventBytes: event)
    var outcome = Outcome()
    for piece in pieces {
        do throws(EventStreamError) {
            try parser.receive(piece, into: &outcome.events)
        } catch {
            outcome.error = error
        }
    }
    outcome.rest = parser.finish()
    outcome.retryMilliseconds = parser.retryMilliseconds
    return outcome
}

/// The bytes whole, then one by one, then in two pieces at every place, then in random pieces.
private func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    var all = [[bytes], bytes.map { [$0] }]
    for place in bytes.indices { all.append([Array(bytes[..<place]), Array(bytes[place...])]) }
    var state: UInt64 = 7
    for _ in 0..<50 {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let size = min(Int(state >> 60), rest.count)
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        all.append(pieces)
    }
    return all
}

private func event(_ data: String, type: String = "message", id: String = "") -> ServerSentEvent {
    ServerSentEvent(type: type, data: Array(data.utf8), lastEventID: id)
}

@Suite("WHATWG HTML §9.2.6 event streams")
struct EventStreamParserTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var stream: String
        var events: [ServerSentEvent]
        var rest: ServerSentEvent?
        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(name: "nothing", stream: "", events: []),
        Row(name: "one event", stream: "data: a\n\n", events: [event("a")]),
        Row(name: "no space after the colon", stream: "data:{\"a\":1}\n\n", events: [event("{\"a\":1}")]),
        Row(name: "only the first space goes", stream: "data:  a \n\n", events: [event(" a ")]),
        Row(name: "CR LF", stream: "data: a\r\n\r\ndata: b\r\n\r\n", events: [event("a"), event("b")]),
        Row(name: "CR", stream: "data: a\r\rdata: b\r\r", events: [event("a"), event("b")]),
        Row(
            name: "mixed ends", stream: "data: a\r\n\ndata: b\n\rdata: c\r\r\n",
            events: [
                event("a"), event("b"), event("c"),
            ]),
        Row(name: "several data lines", stream: "data: a\ndata\ndata: b\n\n", events: [event("a\n\nb")]),
        Row(name: "data without a value", stream: "data\n\ndata:\n\n", events: [event(""), event("")]),
        Row(name: "comments", stream: ": keep alive\n\n:\ndata: a\n: in between\n\n", events: [event("a")]),
        Row(name: "byte order mark", stream: "\u{FEFF}data: a\n\n", events: [event("a")]),
        Row(name: "a later mark is part of the name", stream: "\n\u{FEFF}data: a\n\n", events: []),
        Row(
            name: "type, for one event", stream: "event: ping\ndata: a\n\ndata: b\n\n",
            events: [
                event("a", type: "ping"), event("b"),
            ]),
        Row(
            name: "type of an event without data is dropped", stream: "event: ping\n\ndata: b\n\n", events: [event("b")]
        ),
        Row(
            name: "id stays", stream: "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            events: [
                event("a", id: "7"), event("b", id: "7"), event("c"),
            ]),
        Row(name: "id with NUL is ignored", stream: "id: 7\u{0}8\ndata: a\n\n", events: [event("a")]),
        Row(
            name: "unknown and case-changed fields", stream: "Data: x\nfoo: y\ndatax: z\ndata: a\n\n",
            events: [event("a")]),
        Row(name: "a colon in the value", stream: "data: a: b\n\n", events: [event("a: b")]),
        Row(name: "text beyond ASCII", stream: "data: 你好 👩‍🔬\n\n", events: [event("你好 👩‍🔬")]),
        Row(name: "no blank line at the end", stream: "data: a\n\ndata: b\n", events: [event("a")], rest: event("b")),
        Row(name: "no line end at the end", stream: "data: a\n\ndata: b", events: [event("a")], rest: event("b")),
        Row(name: "a comment at the end", stream: "data: a\n\n: b", events: [event("a")]),
    ]

    @Test(arguments: rows)
    func everyCutGivesTheSameEvents(row: Row) {
        let expected = Outcome(events: row.events, error: nil, rest: row.rest, retryMilliseconds: nil)
        for pieces in cuts(of: Array(row.stream.utf8)) {
            #expect(parse(pieces) == expected)
        }
    }

    @Test func keepsInvalidBytesAsTheyAre() {
        let stream = Array("data: a".utf8) + [0xFF, 0xE4, 0xBD] + Array("\n\n".utf8)
        for pieces in cuts(of: stream) {
            #expect(parse(pieces).events.map(\.data) == [[0x61, 0xFF, 0xE4, 0xBD]])
        }
    }

    @Test(arguments: [("1500", 1_500), ("0", 0), ("-1", nil), ("1.5", nil), ("", nil), ("99999999999999999999", nil)])
    func takesRetryOnlyAsDigits(text: String, milliseconds: Int?) {
        #expect(parse([Array("retry: \(text)\n".utf8)]).retryMilliseconds == milliseconds)
    }

    @Test func refusesALongLineWhereverItIsCut() {
        let stream = Array("data: a\n\ndata: 0123456789\n\ndata: b\n\n".utf8)
        for pieces in cuts(of: stream) {
            let outcome = parse(pieces, line: 15)
            #expect(outcome.events == [event("a")])
            #expect(outcome.error == .lineTooLong(limit: 15))
            #expect(outcome.rest == nil)
        }
        #expect(parse([stream], line: 16).error == nil)
    }

    @Test func refusesALongLineBeforeItEnds() {
        var parser = EventStreamParser(maximumLineBytes: 100)
        var events: [ServerSentEvent] = []
        #expect(throws: EventStreamError.lineTooLong(limit: 100)) {
            try parser.receive([UInt8](repeating: 0x61, count: 101), into: &events)
        }
    }

    @Test func refusesALongEventWhereverItIsCut() {
        let stream = Array("data: 12345\n\ndata: 1234\ndata: 5678\ndata: 9\n\n".utf8)
        for pieces in cuts(of: stream) {
            let outcome = parse(pieces, event: 10)
            #expect(outcome.events == [event("12345")])
            #expect(outcome.error == .eventTooLong(limit: 10))
        }
        #expect(parse([stream], event: 11).error == nil)
    }

    @Test func countsTypeAndIDInTheEvent() {
        #expect(parse([Array("event: 12345678901\n".utf8)], event: 10).error == .eventTooLong(limit: 10))
        #expect(parse([Array("id: 12345678901\n".utf8)], event: 10).error == .eventTooLong(limit: 10))
    }

    @Test(arguments: [
        (": comment\n", true), ("data\n", true), ("retry: x", true), ("Service is fine\n", false), ("\n\n", false),
        ("\u{FEFF}id: 1\n", true),
    ])
    func tellsWhetherAnyLineIsKnown(stream: String, isKnown: Bool) {
        for pieces in cuts(of: Array(stream.utf8)) {
            var parser = EventStreamParser()
            var events: [ServerSentEvent] = []
            for piece in pieces { try? parser.receive(piece, into: &events) }
            _ = parser.finish()
            #expect(parser.hasKnownLine == isKnown)
        }
    }

    @Test func staysFailed() {
        var parser = EventStreamParser(maximumLineBytes: 4)
        var events: [ServerSentEvent] = []
        #expect(throws: EventStreamError.self) { try parser.receive(Array("12345".utf8), into: &events) }
        #expect(throws: EventStreamError.self) { try parser.receive(Array("\n\n".utf8), into: &events) }
        #expect(events.isEmpty)
    }

    @Test func bytesOneByOneTakeTimeInProportion() {
        // Twice the bytes in one long line, fed singly, must not take four times the time; the bound leaves room for a
        // loaded machine and still fails if a byte cost a rescan of the line.
        let clock = ContinuousClock()
        func time(_ count: Int) -> Duration {
            (0..<3).map { _ in
                clock.measure {
                    var parser = EventStreamParser(maximumLineBytes: 1 << 20, maximumEventBytes: 1 << 20)
                    var events: [ServerSentEvent] = []
                    for _ in 0..<count { try? parser.receive([0x61], into: &events) }
                }
            }.min() ?? .zero
        }
        #expect(time(80_000) < time(10_000) * 40)
    }
}
