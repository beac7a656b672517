// MessageDecoderTests: every message that a client may send, good and bad.
// Spec: docs/protocol.md §2-§5, §10

import Testing
import TutorProtocol

/// Decodes, or gives the error.
func decode(_ text: String, limits: Limits = Limits()) -> Result<ClientMessage, MessageError> {
    decode(Array(text.utf8), limits: limits)
}

func decode(_ bytes: [UInt8], limits: Limits = Limits()) -> Result<ClientMessage, MessageError> {
    do throws(MessageError) {
        return .success(try MessageDecoder(limits: limits).decode(bytes))
    } catch {
        return .failure(error)
    }
}

func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double) throws -> Box {
    try #require(Box(x: x, y: y, width: width, height: height))
}

func elementID(_ text: String) throws -> ElementID { try #require(ElementID(text)) }

func messageID(_ text: String) throws -> MessageID { try #require(MessageID(text)) }

@Suite("Client messages")
struct MessageDecoderTests {
    @Test func readsAHello() throws {
        let message = try decode(
            """
            {"type":"hello","id":"h1","role":"student","client":{"name":"demo","version":"1.0"},"locale":"zh-CN",
             "coordinates":{"origin":"bottom-left","unit":"permille"},"room":"K7Q2MN","name":"Li","follow":true,
             "resume":{"session":"s_1","key":"k","epoch":"e","seq":41},"later":[1,{"x":null}]}
            """
        ).get()
        let expected = Hello(
            role: .student, clientName: "demo", clientVersion: "1.0", locale: "zh-CN",
            coordinates: Coordinates(origin: .bottomLeft, unit: .permille),
            resume: Hello.Resume(session: "s_1", key: "k", epoch: "e", seq: 41), room: "K7Q2MN", name: "Li",
            follow: true)
        #expect(message == ClientMessage(id: try messageID("h1"), body: .hello(expected)))
    }

    @Test func readsTheShortestHello() throws {
        #expect(
            try decode(#"{"type":"hello","role":"observer"}"#).get()
                == ClientMessage(id: nil, body: .hello(Hello(role: .observer))))
    }

    @Test func readsNullAsTheAbsenceOfAnOptionalField() throws {
        let hello = try decode(
            """
            {"type":"hello","id":null,"role":"student","client":null,"locale":null,"coordinates":null,"resume":null,
             "room":null,"name":null,"follow":null}
            """
        ).get()
        #expect(hello == ClientMessage(id: nil, body: .hello(Hello(role: .student))))
        let ask = try decode(
            """
            {"type":"ask","id":"q","text":"Why?","revision":null,"focus":null,"language":null,"hint_level":null,
             "of":null,"when_busy":null}
            """
        ).get()
        #expect(ask.body == .ask(Ask(text: "Why?")))
        let snapshot = try decode(
            """
            {"type":"screen.snapshot","revision":1,"size":null,"title":null,"url":null,"focus":null,"detect":null,
             "ids":null,"elements":[{"id":"a","type":"text","content":"","box":[0,0,1,1],"placeholder":null,
             "value":null,"label":null,"state":null,"region":null,"line":null,"parent":null}]}
            """
        ).get()
        let element = Element(id: try elementID("a"), kind: .text, content: "", box: try box(0, 0, 1, 1))
        #expect(snapshot.body == .screenSnapshot(ScreenSnapshot(revision: 1, elements: [element])))
    }

    @Test func readsASnapshot() throws {
        let message = try decode(
            """
            {"type":"screen.snapshot","id":"c2","revision":7,"size":[1170,2532],"title":"Algebra 1","url":"https://x.test/1",
             "elements":[
              {"id":"e1","type":"math","content":"2x + 3 = 7","box":[0.08,0.31,0.36,0.08],"line":2,"region":"work"},
              {"id":"e2","type":"input","content":"","placeholder":"Answer","value":"5","label":"Your answer",
               "box":[0.12,-4.2,0.28,0],"state":["focused","invalid","glowing"],"parent":"form:1"},
              {"id":"e3","type":"carousel","content":"解 \\ud83d","box":[1e2,5E-1,0.16,0.06],"unknown":{"a":[]}}],
             "focus":{"element":"e2"},"detect":true}
            """
        ).get()
        let expected = ScreenSnapshot(
            revision: 7, size: ScreenSize(width: 1_170, height: 2_532), title: "Algebra 1", url: "https://x.test/1",
            elements: [
                Element(
                    id: try elementID("e1"), kind: .math, content: "2x + 3 = 7", box: try box(0.08, 0.31, 0.36, 0.08),
                    region: "work", line: 2),
                Element(
                    id: try elementID("e2"), kind: .input, content: "", box: try box(0.12, -4.2, 0.28, 0),
                    placeholder: "Answer", value: "5", label: "Your answer", states: [.focused, .invalid],
                    parent: try elementID("form:1")),
                Element(
                    id: try elementID("e3"), kind: .other, content: "解 \u{FFFD}", box: try box(100, 0.5, 0.16, 0.06)),
            ], focus: .element(try elementID("e2")), wantsDetections: true)
        #expect(message == ClientMessage(id: try messageID("c2"), body: .screenSnapshot(expected)))
    }

    @Test func readsEveryKindAndState() throws {
        for kind in ElementKind.allCases {
            let text = #"[{"id":"a","type":"\#(kind.rawValue)","content":"","box":[0,0,0,0]}]"#
            let body = try decode(#"{"type":"screen.snapshot","revision":1,"elements":\#(text)}"#).get().body
            guard case .screenSnapshot(let snapshot) = body else { throw UnexpectedBody() }
            #expect(snapshot.elements[0].kind == kind)
        }
        for (name, state) in ElementStates.names {
            let text = #"[{"id":"a","type":"text","content":"","box":[0,0,0,0],"state":["\#(name)"]}]"#
            let body = try decode(#"{"type":"screen.snapshot","revision":1,"elements":\#(text)}"#).get().body
            guard case .screenSnapshot(let snapshot) = body else { throw UnexpectedBody() }
            #expect(snapshot.elements[0].states == state)
        }
    }

    @Test func givesPlacesToElementsThatWantFreshIDs() throws {
        let elements =
            #"[{"type":"text","content":"a","box":[0,0,1,1]},{"id":"x","type":"text","content":"b","box":[0,0,1,1]},{"id":"x","type":"text","content":"c","box":[0,0,1,1]}]"#
        for text in [
            #"{"type":"screen.snapshot","revision":1,"ids":"fresh","elements":\#(elements)}"#,
            #"{"type":"screen.snapshot","revision":1,"elements":\#(elements),"ids":"fresh"}"#,
        ] {
            guard case .screenSnapshot(let snapshot) = try decode(text).get().body else { throw UnexpectedBody() }
            #expect(snapshot.wantsFreshIDs)
            #expect(snapshot.elements.map(\.id.rawValue) == ["0", "1", "2"])
            #expect(snapshot.elements.map(\.content) == ["a", "b", "c"])
        }
    }

    @Test func readsADelta() throws {
        let message = try decode(
            """
            {"type":"screen.delta","base":7,"revision":9,"remove":["e9","e8"],
             "add":[{"id":"e4","type":"error","content":"Required","box":[0,0,1,1]}],
             "update":[{"id":"e2","content":"5"},{"id":"e3","type":"button","box":[1,2,3,4],"content":null,"placeholder":null,
              "value":"v","label":null,"state":null,"region":"r","line":3,"parent":null},{"id":"e5","line":null,"parent":"p","state":["hidden"]}],
             "move":[{"by":[0,-0.2],"ids":"all"},{"by":[1,1],"ids":["a","b"]},{"by":[0,0],"ids":{"region":"r"}}],
             "focus":{"point":[0.2,0.45]}}
            """
        ).get()
        let expected = ScreenDelta(
            base: 7, revision: 9, remove: [try elementID("e9"), try elementID("e8")],
            add: [Element(id: try elementID("e4"), kind: .error, content: "Required", box: try box(0, 0, 1, 1))],
            update: [
                ElementUpdate(id: try elementID("e2"), content: "5"),
                ElementUpdate(
                    id: try elementID("e3"), kind: .button, content: "", box: try box(1, 2, 3, 4), placeholder: .remove,
                    value: .set("v"), label: .remove, states: [], region: .set("r"), line: .set(3), parent: .remove),
                ElementUpdate(
                    id: try elementID("e5"), states: .hidden, line: .remove, parent: .set(try elementID("p"))),
            ],
            move: [
                ElementMove(by: try #require(Point(x: 0, y: -0.2)), target: .all),
                ElementMove(
                    by: try #require(Point(x: 1, y: 1)), target: .ids([try elementID("a"), try elementID("b")])),
                ElementMove(by: try #require(Point(x: 0, y: 0)), target: .region("r")),
            ], focus: .point(try #require(Point(x: 0.2, y: 0.45))))
        #expect(message == ClientMessage(id: nil, body: .screenDelta(expected)))
    }

    @Test func readsADeltaThatOnlyMovesTheFocus() throws {
        let message = try decode(#"{"type":"screen.delta","base":0,"revision":1,"focus":{"box":[0,0,1,1]}}"#).get()
        #expect(
            message.body == .screenDelta(ScreenDelta(base: 0, revision: 1, focus: .box(try box(0, 0, 1, 1)))))
    }

    @Test func readsAnAsk() throws {
        let message = try decode(
            """
            {"type":"ask","id":"q1","text":"Why is this wrong?","revision":9007199254740991,"focus":{"box":[0,0.5,1,0.1]},
             "language":"en","hint_level":4,"of":"t12","when_busy":"reject","images":[]}
            """
        ).get()
        let expected = Ask(
            text: "Why is this wrong?", revision: 9_007_199_254_740_991, focus: .box(try box(0, 0.5, 1, 0.1)),
            language: "en", hintLevel: 4, of: TurnID(12), whenBusy: .reject)
        #expect(message == ClientMessage(id: try messageID("q1"), body: .ask(expected)))
    }

    @Test func anAskForTheNextHintNeedsNoText() throws {
        let expected = ClientMessage.Body.ask(Ask(text: "", of: TurnID(1)))
        #expect(try decode(#"{"type":"ask","id":"q","of":"t1"}"#).get().body == expected)
        #expect(try decode(#"{"type":"ask","id":"q","of":"t1","text":null}"#).get().body == expected)
        #expect(try decode(#"{"type":"ask","id":"q","text":"","of":"t1"}"#).get().body == expected)
    }

    @Test func readsTheSmallMessages() throws {
        let table: [(String, ClientMessage.Body)] = [
            (#"{"type":"cancel","turn":"t3"}"#, .cancel(.turn(TurnID(3)))),
            (#"{"type":"cancel","ask":"q3","turn":null}"#, .cancel(.ask(try messageID("q3")))),
            (#"{"type":"cancel","turn":"never heard of"}"#, .cancel(.turn(.none))),
            (#"{"type":"ping"}"#, .ping(Ping(t: nil))),
            (#"{"type":"ping","t":1.5e3}"#, .ping(Ping(t: 1_500))),
            (
                #"{"type":"step.result","turn":"t1","step":2,"ok":false}"#,
                .stepResult(StepResult(turn: TurnID(1), step: 2, ok: false))
            ),
            (
                #"{"type":"highlight.missed","turn":"t1","element":"e1","why":"gone"}"#,
                .highlightMissed(HighlightMissed(turn: TurnID(1), element: try elementID("e1"), why: "gone"))
            ),
            (
                #"{"type":"highlight.missed","turn":"t1","element":"e1"}"#,
                .highlightMissed(HighlightMissed(turn: TurnID(1), element: try elementID("e1"), why: ""))
            ),
        ]
        for (text, body) in table { #expect(try decode(text).get() == ClientMessage(id: nil, body: body), "\(text)") }
    }

    @Test func cutsAReportToWholeCharacters() throws {
        let why = String(repeating: "漢", count: 100)
        let message = try decode(#"{"type":"highlight.missed","turn":"t1","element":"e1","why":"\#(why)"}"#).get()
        guard case .highlightMissed(let missed) = message.body else { throw UnexpectedBody() }
        #expect(missed.why == String(repeating: "漢", count: 66))
    }

    @Test(arguments: [
        "skill.result", "confirm", "watch", "unwatch", "note", "steer", "policy", "hand", "image.begin",
    ])
    func namesTypesThatAreNotOffered(type: String) throws {
        let message = try decode(#"{"type":"\#(type)","text":5,"id":"c7","turn":null}"#).get()
        #expect(message == ClientMessage(id: try messageID("c7"), body: .unsupported(type)))
    }

    @Test func readsWhatIsAboutRecords() throws {
        let table: [(String, ClientMessage.Body)] = [
            (#"{"type":"auth.refresh","token":"a.b.c"}"#, .authRefresh(token: "a.b.c")),
            (#"{"type":"forget"}"#, .forget(all: false)), (#"{"type":"forget","all":true}"#, .forget(all: true)),
            (
                #"{"type":"feedback","turn":"t2","value":-1,"text":"no"}"#,
                .feedback(Feedback(turn: TurnID(2), value: -1, text: "no"))
            ),
        ]
        for (text, body) in table { #expect(try decode(text).get() == ClientMessage(id: nil, body: body), "\(text)") }
        for value in ["0", "2", "-2", "0.5", "true"] {
            #expect(throws: MessageError.self) {
                try decode(#"{"type":"feedback","turn":"t2","value":\#(value)}"#).get()
            }
        }
    }

    @Test func doesNotDependOnTheOrderOfKeys() throws {
        let fields = [
            #""type":"ask""#, #""id":"q1""#, #""text":"Why?""#, #""focus":{"type":"x","id":"y","element":"e1"}"#,
            #""revision":3"#,
        ]
        let expected = ClientMessage(
            id: try messageID("q1"), body: .ask(Ask(text: "Why?", revision: 3, focus: .element(try elementID("e1")))))
        for order in permutations(fields) {
            #expect(try decode("{\(order.joined(separator: ","))}").get() == expected)
        }
        // A fault is found with the id wherever both stand.
        let faulty = [#""type":"ask""#, #""id":"q1""#, #""text":"Why?""#, #""hint_level":"2""#]
        let error = MessageError(
            code: .badMessage, message: "must be a whole number", path: "hint_level", re: try messageID("q1"))
        for order in permutations(faulty) {
            #expect(decode("{\(order.joined(separator: ","))}") == .failure(error))
        }
    }

    @Test func acceptsEscapedKeysAndTypes() throws {
        let message = try decode(#"{"ty\u0070e":"\u0070ing","\u0069d":"\u0063"}"#).get()
        #expect(message == ClientMessage(id: try messageID("c"), body: .ping(Ping(t: nil))))
    }

    private func permutations(_ list: [String]) -> [[String]] {
        guard list.count > 1 else { return [list] }
        return list.indices.flatMap { index in
            var rest = list
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}

/// A message was of another type than the test sent.
struct UnexpectedBody: Error {}
