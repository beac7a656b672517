// MessageErrorTests: what a bad message is answered with: code, path and id.
// Spec: docs/protocol.md §4 (`path`), §10

import Testing
import TutorProtocol

@Suite("Bad client messages")
struct MessageErrorTests {
    /// An element with one field replaced, within a snapshot whose id stands last.
    static func snapshot(_ field: String) -> String {
        let good = #"{"id":"g","type":"text","content":"","box":[0,0,1,1]}"#
        var fields = [
            "id": #""id":"e""#, "type": #""type":"text""#, "content": #""content":"""#, "box": #""box":[0,0,1,1]"#,
        ]
        let name = field.prefix { $0 != ":" }.filter { $0 != "\"" }
        fields[name] = field.hasSuffix("-") ? nil : field
        let bad = "{\(fields.sorted { $0.key < $1.key }.map(\.value).joined(separator: ","))}"
        return #"{"type":"screen.snapshot","revision":1,"elements":[\#(good),\#(bad)],"id":"c9"}"#
    }

    static func delta(_ field: String) -> String {
        #"{"type":"screen.delta","base":1,"revision":2,\#(field),"id":"c9"}"#
    }

    static func ask(_ field: String) -> String { #"{"type":"ask",\#(field),"id":"c9"}"# }

    static func hello(_ field: String) -> String { #"{"type":"hello",\#(field),"id":"c9"}"# }

    @Test(arguments: [
        (#""id":5"#, "elements[1].id"), (#""id":"""#, "elements[1].id"), (#""id":"a b""#, "elements[1].id"),
        (#""id":"é""#, "elements[1].id"), (#""id":null"#, "elements[1].id"), (#""id":-"#, "elements[1].id"),
        (#""id":"g""#, "elements[1].id"), (#""id":"\#(String(repeating: "a", count: 65))""#, "elements[1].id"),
        (#""type":5"#, "elements[1].type"), (#""type":null"#, "elements[1].type"), (#""type":-"#, "elements[1].type"),
        (#""content":5"#, "elements[1].content"), (#""content":null"#, "elements[1].content"),
        (#""content":-"#, "elements[1].content"),
        (#""content":"\#(String(repeating: "a", count: 2_001))""#, "elements[1].content"),
        (#""box":-"#, "elements[1].box"), (#""box":null"#, "elements[1].box"), (#""box":5"#, "elements[1].box"),
        (#""box":[]"#, "elements[1].box"), (#""box":[0,0,1]"#, "elements[1].box"),
        (#""box":[0,0,1,1,1]"#, "elements[1].box"), (#""box":[0,0,1,"1"]"#, "elements[1].box"),
        (#""box":[0,0,-1,1]"#, "elements[1].box"), (#""box":[0,0,1,-0.001]"#, "elements[1].box"),
        (#""box":[0,0,1,null]"#, "elements[1].box"), (#""box":[1e400,0,1,1]"#, "elements[1].box"),
        (#""box":[0,0,1,[1]]"#, "elements[1].box"), (#""box":{"x":0,"y":0}"#, "elements[1].box"),
        (#""placeholder":5"#, "elements[1].placeholder"), (#""value":true"#, "elements[1].value"),
        (#""value":"\#(String(repeating: "漢", count: 667))""#, "elements[1].value"),
        (#""label":[]"#, "elements[1].label"), (#""region":{}"#, "elements[1].region"),
        (#""state":"hidden""#, "elements[1].state"), (#""state":["hidden",5]"#, "elements[1].state[1]"),
        (#""line":"1""#, "elements[1].line"), (#""line":1.5"#, "elements[1].line"), (#""line":-1"#, "elements[1].line"),
        (#""line":1e15"#, "elements[1].line"), (#""parent":"a/b""#, "elements[1].parent"),
        (#""unknown":1e400"#, "elements[1].unknown"), (#""not plain":1e400"#, "elements[1]"),
    ])
    func refusesAnElement(field: String, path: String) throws {
        try expect(Self.snapshot(field), .badMessage, path)
    }

    @Test(arguments: [
        (#""revision":-1,"elements":[]"#, "revision"), (#""revision":1.5,"elements":[]"#, "revision"),
        (#""revision":9007199254740992,"elements":[]"#, "revision"), (#""revision":"1","elements":[]"#, "revision"),
        (#""revision":null,"elements":[]"#, "revision"), (#""elements":[]"#, "revision"),
        (#""revision":1"#, "elements"), (#""revision":1,"elements":null"#, "elements"),
        (#""revision":1,"elements":{}"#, "elements"), (#""revision":1,"elements":[5]"#, "elements[0]"),
        (#""revision":1,"elements":[],"size":[0,5]"#, "size"), (#""revision":1,"elements":[],"size":[5]"#, "size"),
        (#""revision":1,"elements":[],"size":"big""#, "size"), (#""revision":1,"elements":[],"title":5"#, "title"),
        (#""revision":1,"elements":[],"url":[]"#, "url"), (#""revision":1,"elements":[],"focus":5"#, "focus"),
        (#""revision":1,"elements":[],"focus":{}"#, "focus"),
        (#""revision":1,"elements":[],"focus":{"element":"a","point":[0,0]}"#, "focus"),
        (#""revision":1,"elements":[],"focus":{"element":5}"#, "focus.element"),
        (#""revision":1,"elements":[],"focus":{"point":[0]}"#, "focus.point"),
        (#""revision":1,"elements":[],"focus":{"box":[0,0,0,-1]}"#, "focus.box"),
        (#""revision":1,"elements":[],"detect":1"#, "detect"), (#""revision":1,"elements":[],"ids":"old""#, "ids"),
        (#""revision":1,"elements":[],"ids":[]"#, "ids"),
    ])
    func refusesASnapshot(fields: String, path: String) throws {
        try expect(#"{"type":"screen.snapshot",\#(fields),"id":"c9"}"#, .badMessage, path)
    }

    @Test(arguments: [
        (#""remove":["a",5]"#, "remove[1]"), (#""remove":"a""#, "remove"), (#""add":[{}]"#, "add[0].type"),
        (#""add":[{"type":"text","content":"","box":[0,0,0,0]}]"#, "add[0].id"),
        (
            #""add":[{"id":"a","type":"text","content":"","box":[0,0,0,0]},{"id":"a","type":"text","content":"","box":[0,0,0,0]}]"#,
            "add[1].id"
        ),
        (#""update":[{"content":"x"}]"#, "update[0].id"), (#""update":[{"id":"a","content":5}]"#, "update[0].content"),
        (#""update":[{"id":"a","type":null}]"#, "update[0].type"),
        (#""update":[{"id":"a","box":null}]"#, "update[0].box"),
        (#""update":[{"id":"a"},{"id":"b","value":5}]"#, "update[1].value"), (#""update":[[]]"#, "update[0]"),
        (#""move":[{"by":[0,0]}]"#, "move[0].ids"), (#""move":[{"ids":"all"}]"#, "move[0].by"),
        (#""move":[{"by":[0],"ids":"all"}]"#, "move[0].by"), (#""move":[{"by":[0,0],"ids":"some"}]"#, "move[0].ids"),
        (#""move":[{"by":[0,0],"ids":["a",null]}]"#, "move[0].ids[1]"),
        (#""move":[{"by":[0,0],"ids":{}}]"#, "move[0].ids.region"),
        (#""move":[{"by":[0,0],"ids":{"region":5}}]"#, "move[0].ids.region"),
        (#""move":[{"by":[0,0],"ids":5}]"#, "move[0].ids"), (#""focus":{"box":null}"#, "focus"),
    ])
    func refusesADelta(field: String, path: String) throws {
        try expect(Self.delta(field), .badMessage, path)
    }

    @Test(arguments: [
        (#""revision":2"#, "base"), (#""base":1"#, "revision"), (#""base":2,"revision":2"#, "revision"),
        (#""revision":1,"base":2"#, "revision"), (#""base":-1,"revision":2"#, "base"),
        (#""base":1,"revision":1e300"#, "revision"),
    ])
    func refusesRevisionsOfADelta(fields: String, path: String) throws {
        try expect(#"{"type":"screen.delta",\#(fields),"id":"c9"}"#, .badMessage, path)
    }

    @Test(arguments: [
        (#""text":"""#, "text"), (#""text":"  \n""#, "text"), (#""text":null"#, "text"), (#""revision":1"#, "text"),
        (#""text":5"#, "text"), (#""text":"\#(String(repeating: "a", count: 8_193))""#, "text"),
        (#""text":"a","hint_level":5"#, "hint_level"), (#""text":"a","hint_level":-1"#, "hint_level"),
        (#""text":"a","hint_level":1.5"#, "hint_level"), (#""text":"a","revision":-1"#, "revision"),
        (#""text":"a","focus":[]"#, "focus"), (#""text":"a","language":"en]]""#, "language"),
        (#""text":"a","language":"""#, "language"), (#""text":"a","of":5"#, "of"), (#""text":"a","of":"""#, "of"),
        (#""text":"a","when_busy":"wait""#, "when_busy"),
    ])
    func refusesAnAsk(fields: String, path: String) throws {
        try expect(Self.ask(fields), .badMessage, path)
    }

    @Test func anAskNeedsAnID() throws {
        let expected = MessageError(code: .badMessage, message: "is missing", path: "id")
        #expect(decode(#"{"type":"ask","text":"Why?"}"#) == .failure(expected))
        #expect(decode(#"{"type":"ask","text":"Why?","id":null}"#) == .failure(expected))
    }

    @Test(arguments: [
        (#""name":"x""#, "role"), (#""role":"king""#, "role"), (#""role":5"#, "role"), (#""role":null"#, "role"),
        (#""role":"student","coordinates":{"origin":"centre"}"#, "coordinates.origin"),
        (#""role":"student","coordinates":{"unit":1}"#, "coordinates.unit"),
        (#""role":"student","coordinates":"pixels""#, "coordinates"), (#""role":"student","locale":"zh CN""#, "locale"),
        (#""role":"student","client":"x""#, "client"), (#""role":"student","client":{"name":5}"#, "client.name"),
        (#""role":"student","client":{"version":"\#(String(repeating: "1", count: 257))"}"#, "client.version"),
        (#""role":"student","follow":"yes""#, "follow"), (#""role":"student","room":5"#, "room"),
        (#""role":"student","resume":{"key":"k","epoch":"e","seq":1}"#, "resume.session"),
        (#""role":"student","resume":{"session":"s","epoch":"e","seq":1}"#, "resume.key"),
        (#""role":"student","resume":{"session":"s","key":"k","seq":1}"#, "resume.epoch"),
        (#""role":"student","resume":{"session":"s","key":"k","epoch":"e"}"#, "resume.seq"),
        (#""role":"student","resume":{"session":"s","key":"k","epoch":"e","seq":-1}"#, "resume.seq"),
        (#""role":"student","resume":[]"#, "resume"),
    ])
    func refusesAHello(fields: String, path: String) throws {
        try expect(Self.hello(fields), .badMessage, path)
    }

    @Test(arguments: [
        (#"{"type":"cancel","id":"c9"}"#, "turn"), (#"{"type":"cancel","turn":"t1","ask":"q1","id":"c9"}"#, "ask"),
        (#"{"type":"cancel","ask":"q1","turn":"t1","id":"c9"}"#, "turn"),
        (#"{"type":"cancel","turn":1,"id":"c9"}"#, "turn"),
        (#"{"type":"cancel","ask":"","id":"c9"}"#, "ask"), (#"{"type":"ping","t":"1","id":"c9"}"#, "t"),
        (#"{"type":"ping","t":1e999,"id":"c9"}"#, "t"),
        (#"{"type":"step.result","step":1,"ok":true,"id":"c9"}"#, "turn"),
        (#"{"type":"step.result","turn":"t1","ok":true,"id":"c9"}"#, "step"),
        (#"{"type":"step.result","turn":"t1","step":1,"id":"c9"}"#, "ok"),
        (#"{"type":"step.result","turn":"t1","step":0,"ok":true,"id":"c9"}"#, "step"),
        (#"{"type":"step.result","turn":"t1","step":1,"ok":1,"id":"c9"}"#, "ok"),
        (#"{"type":"highlight.missed","turn":"t1","id":"c9"}"#, "element"),
        (#"{"type":"highlight.missed","element":"e1","id":"c9"}"#, "turn"),
        (#"{"id":"c9"}"#, "type"), (#"{"type":5,"id":"c9"}"#, "type"), (#"{"type":null,"id":"c9"}"#, "type"),
    ])
    func refusesSmallMessages(text: String, path: String) throws {
        try expect(text, .badMessage, path)
    }

    @Test func saysWhenAnIDIsNone() {
        for id in ["5", "\"\"", "{}", #""\u0007""#, "\"\(String(repeating: "a", count: 65))\""] {
            guard case .failure(let error) = decode(#"{"type":"ping","id":\#(id)}"#) else {
                Issue.record("accepted \(id)")
                continue
            }
            #expect(error.code == .badMessage)
            #expect(error.path == "id")
            #expect(error.re == nil)
        }
    }

    @Test func namesAnUnknownType() throws {
        let expected = MessageError(
            code: .unknownType, message: "the message type is not known", path: "type", re: try messageID("c9"))
        #expect(decode(#"{"type":"dance","id":"c9"}"#) == .failure(expected))
        #expect(decode(#"{"id":"c9","x":[],"type":"dance"}"#) == .failure(expected))
        #expect(decode(#"{"type":"\#(String(repeating: "a", count: 9_000))","id":"c9"}"#) == .failure(expected))
    }

    @Test(arguments: [
        "", "x", "[]", "5", "null", #""ask""#, "{", #"{"type":"ping""#, #"{"type":"ping"}x"#, #"{"type":"ping",}"#,
        "{\"type\":\"ping\",\"t\":\"\u{1}\"}", #"{"type":"ping","t":1,"t":1}"#, #"{"type":"ping","type":"ping"}"#,
        #"{"type":"ping","t":NaN}"#, #"{"type":"ping","x":"\q"}"#, #"{"x":"#, #"{"x":1}}"#,
    ])
    func refusesWhatIsNoMessage(text: String) {
        guard case .failure(let error) = decode(text) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .badFrame)
        #expect(error.path == nil)
        #expect(error.re == nil)
    }

    @Test func keepsTheIDOfABadFrame() throws {
        try expect(#"{"type":"ping","id":"c9","t":1,"t":2}"#, .badFrame, nil)
        try expect(#"{"type":"ping","t":1,"t":2,"id":"c9"}"#, .badFrame, nil)
        try expect(#"{"type":"ping","id":"c9","t":"#, .badFrame, nil)
        let keys = (0..<70).map { #""k\#($0)":0"# }.joined(separator: ",")
        try expect(#"{"type":"ping",\#(keys),"id":"c9"}"#, .badFrame, nil)
        try expect(#"{"type":"ping","x":{\#(keys)},"id":"c9"}"#, .badFrame, nil)
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        try expect(#"{"type":"ping","id":"c9","x":\#(deep)}"#, .badFrame, nil)
        // Two ids name nobody.
        guard case .failure(let error) = decode(#"{"type":"ping","id":"a","id":"b"}"#) else { throw UnexpectedBody() }
        #expect(error.re == nil)
    }

    @Test func aFrameThatIsNotJSONFurtherOnIsABadFrame() throws {
        try expect(#"{"type":"ping","id":"c9","t":"not a number","x":}"#, .badFrame, nil)
        try expect(#"{"type":"dance","id":"c9"]"#, .badFrame, nil)
    }

    @Test func allowsNestingUpToTheLimit() {
        let limit = Limits().jsonDepth
        let inside = String(repeating: "[", count: limit - 1) + String(repeating: "]", count: limit - 1)
        #expect(throws: Never.self) { try decode(#"{"type":"ping","x":\#(inside)}"#).get() }
        #expect(throws: MessageError.self) { try decode(#"{"type":"ping","x":[\#(inside)]}"#).get() }
    }

    @Test func refusesALongMessageBeforeReadingIt() throws {
        var limits = Limits()
        limits.clientMessageBytes = 40
        #expect(throws: Never.self) { try decode(#"{"type":"ping","id":"c9","t":1}"#, limits: limits).get() }
        let text = #"{"type":"ping","id":"c9","t":1,"x":"........"}"#
        #expect(
            decode(text, limits: limits)
                == .failure(MessageError(code: .tooLarge, message: "the message is over 40 bytes")))
    }

    @Test func refusesLongListsWithThePathOfTheFirstEntryTooMany() throws {
        var limits = Limits()
        limits.elements = 3
        limits.deltaOperations = 4
        let elements = (0..<4).map { #"{"id":"e\#($0)","type":"text","content":"","box":[0,0,1,1]}"# }
        let three = elements.prefix(3).joined(separator: ",")
        #expect(throws: Never.self) {
            try decode(#"{"type":"screen.snapshot","revision":1,"elements":[\#(three)]}"#, limits: limits).get()
        }
        try expect(
            #"{"type":"screen.snapshot","revision":1,"elements":[\#(elements.joined(separator: ","))],"id":"c9"}"#,
            .badMessage, "elements[3]", limits: limits)
        try expect(
            #"{"type":"screen.delta","base":1,"revision":2,"remove":["a","b"],"add":[\#(three)],"id":"c9"}"#,
            .badMessage, "add[2]", limits: limits)
        try expect(
            #"{"type":"screen.delta","base":1,"revision":2,"add":[\#(three)],"update":[{"id":"a"},{"id":"b"}],"id":"c9"}"#,
            .badMessage, "update[1]", limits: limits)
        try expect(
            #"{"type":"screen.delta","base":1,"revision":2,"move":[{"by":[0,0],"ids":["a","b","c","d"]}],"id":"c9"}"#,
            .badMessage, "move[0].ids[3]", limits: limits)
    }

    @Test func countsTheBytesOfATextAfterItsEscapes() throws {
        let escaped = String(repeating: #"\u0041"#, count: 2_000)
        #expect(throws: Never.self) { try decode(Self.snapshot(#""content":"\#(escaped)""#)).get() }
        try expect(Self.snapshot(#""content":"\#(escaped)\u0041""#), .badMessage, "elements[1].content")
        // A lone surrogate takes three bytes.
        let lone = String(repeating: #"\ud800"#, count: 667)
        try expect(Self.snapshot(#""content":"\#(lone)""#), .badMessage, "elements[1].content")
    }

    @Test func noMessageRepeatsTheClientsTexts() {
        for text in [
            #"{"type":"SECRET"}"#, #"{"type":"ask","id":"q","text":5,"SECRET":1}"#, #"{"SECRET":1,"SECRET":2}"#,
            #"{"type":"hello","role":"SECRET"}"#, #"{"type":"ping","SECRET key of a client":1e400}"#, "SECRET",
        ] {
            guard case .failure(let error) = decode(text) else { continue }
            #expect(!error.message.contains("SECRET"))
            #expect(!(error.path ?? "").contains("key of"))
        }
    }

    @Test func becomesAnErrorThatIsNotFatal() throws {
        let error = MessageError(code: .badMessage, message: "m", path: "p", re: try messageID("c9"))
        #expect(
            error.errorMessage
                == ErrorMessage(re: try messageID("c9"), code: .badMessage, message: "m", path: "p", isFatal: false))
    }

    /// Every message here carries the id `c9`.
    private func expect(
        _ text: String, _ code: ErrorCode, _ path: String?, limits: Limits = Limits(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        guard case .failure(let error) = decode(text, limits: limits) else {
            Issue.record("accepted \(text.prefix(200))", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.path == path, sourceLocation: sourceLocation)
        #expect(error.re == (try messageID("c9")), sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
    }
}
