// QuickElementTests: the quick way of reading elements and the general one agree on every input.
// Spec: docs/protocol.md §4

import Testing
import TutorProtocol

@Suite("Quick reading of elements")
struct QuickElementTests {
    private static let elements = [
        #"{"id":"e1","type":"math","content":"2x + 3 = 7","box":[0.08,0.31,0.36,0.08]}"#,
        #"{"id":"form.item:12_b-7","type":"checkbox","content":"","box":[-12,0,1170,2532.5],"state":[]}"#,
        #"{"id":"e", "type":"input", "content":"Größe in cm², 面积", "box":[0, -0.5, 1.25, 0.0000001], "state":["focused", "nothing"]}"#,
        #"{"content":"a \"quoted\" \\ text","id":"x","box":[1e2,1,1,1],"type":"unknown-and-long"}"#,
        #"{"id":"x","type":"code","content":"😀 and more","box":[1,2,3,4],"line":12,"parent":"e1","region":"form"}"#,
        #"{"id":"x","type":"text","content":"c","box":[1234567.1234567,12345678,0.12345678,1],"value":null,"label":"L"}"#,
        #"{"id":"x","type":"text","content":"c","box":[1,2,3,4],"placeholder":"Type here","value":"5","state":["secure","hidden"]}"#,
    ]

    /// What is behind an element in a message, long enough that words can be read past its end, or not.
    private static let tails = [#"],"focus":{"point":[0.25,0.25]}}"#, "]}"]

    @Test(arguments: elements.indices)
    func bothWaysReadTheSame(index: Int) throws {
        for tail in Self.tails {
            let quick = try decodeMessage(Self.elements[index], list: "add", tail: tail).get()
            let general = try decodeMessage(Self.general(Self.elements[index]), list: "add", tail: tail).get()
            #expect(quick == general)
            let update = try decodeMessage(Self.elements[index], list: "update", tail: tail).get()
            #expect(try update == decodeMessage(Self.general(Self.elements[index]), list: "update", tail: tail).get())
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<8)
    func bothWaysAgreeOnChangedElements(seed: UInt64) {
        var random = SeededRandom(state: seed)
        var accepted = 0
        for _ in 0..<1_500 {
            var bytes = Array((Self.elements.randomElement(using: &random) ?? "").utf8)
            let last = bytes.count - 1
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 1..<last, using: &random)
                bytes[place] =
                    Bool.random(using: &random)
                    ? UInt8.random(in: 0...255, using: &random)
                    : Array(#"0123456789.-+eE"\/,:[]{} _azAZ"#.utf8).randomElement(using: &random) ?? 0
            }
            // The key in front sends the reader the general way; nothing behind it changes but its offset.
            let general = [bytes[0]] + Array(#""zz":0,"#.utf8) + bytes[1...]
            let list = Bool.random(using: &random) ? "add" : "update"
            let left = decodeMessage(bytes, list: list, tail: Self.tails[0])
            let right = decodeMessage(general, list: list, tail: Self.tails[0])
            switch (left, right) {
            case (.success(let left), .success(let right)):
                accepted += 1
                #expect(left == right, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            case (.failure(let left), .failure(let right)):
                #expect(left.code == right.code && left.path == right.path, "\(String(decoding: bytes, as: UTF8.self))")
            default: Issue.record("the ways differ on \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        // Otherwise the test would say nothing about values.
        #expect(accepted > 100)
    }

    @Test(arguments: [
        #"{"id":"a","id":"b","type":"text","content":"","box":[0,0,1,1]}"#,
        #"{"id":"a","type":"text","content":"","box":[0,0,1,1],"box":[0,0,1,1]}"#,
        #"{"id":"a","type":"text","content":"x","box":[0,0,1,1],"c\u006fntent":"y"}"#,
        #"{"id":"a","type":"text","content":"","box":[01,0,1,1]}"#,
        #"{"id":"a","type":"text","content":"","box":[0,0,1,1],}"#,
        #"{"id":"a","type":"text","content":"","box":[0.,0,1,1]}"#,
    ])
    func refusesWhatIsNotJSON(element: String) {
        guard case .failure(let error) = decodeMessage(element, list: "add", tail: Self.tails[0]) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .badFrame)
    }

    @Test(
        arguments: [
            [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
            [0xE4, 0xBD], [0xC3], [0x80], [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xFF], [0x1F], [0x00],
        ] as [[UInt8]])
    func refusesBytesThatNoTextMayHold(bytes: [UInt8]) {
        let element =
            Array(#"{"id":"a","type":"text","content":"plain text "#.utf8) + bytes
            + Array(#" and more of it","box":[0,0,1,1]}"#.utf8)
        guard case .failure(let error) = decodeMessage(element, list: "add", tail: Self.tails[0]) else {
            Issue.record("accepted")
            return
        }
        #expect(error.code == .badFrame)
    }

    @Test func acceptsEveryKindOfLetter() throws {
        let content = "\u{80}\u{7FF}\u{800}\u{FFF}\u{1000}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\u{7F} a"
        for count in 0..<20 {
            let text = String(repeating: "a", count: count) + content
            let element = #"{"id":"a","type":"text","content":"\#(text)","box":[0,0,1,1]}"#
            guard case .screenDelta(let delta) = try decodeMessage(element, list: "add", tail: Self.tails[0]).get().body
            else { throw UnexpectedBody() }
            #expect(delta.add.first?.content == text)
        }
    }

    /// The same element with a key that is not known, which sends the reader the general way.
    private static func general(_ element: String) -> String { #"{"zz":0,"# + element.dropFirst() }

    private func decodeMessage(_ element: String, list: String, tail: String) -> Result<ClientMessage, MessageError> {
        decodeMessage(Array(element.utf8), list: list, tail: tail)
    }

    private func decodeMessage(_ element: [UInt8], list: String, tail: String) -> Result<ClientMessage, MessageError> {
        let head = #"{"type":"screen.delta","base":1,"revision":2,"\#(list)":["#
        do throws(MessageError) {
            return .success(try MessageDecoder().decode(Array(head.utf8) + element + Array(tail.utf8)))
        } catch {
            return .failure(error)
        }
    }
}
