// DecodedMemoryTests: what a message can make the server keep is bounded by its bytes and by the limits.
// Spec: docs/protocol.md §11

import Testing
import TutorProtocol

@Suite("Memory of decoded messages")
struct DecodedMemoryTests {
    @Test func shortestElementsTakeAtMostFourTimesTheirBytes() throws {
        let list = (0..<2_000).map { #"{"id":"\#($0)","type":"","content":"","box":[0,0,1,1]}"# }
        let text = #"{"type":"screen.snapshot","revision":1,"elements":[\#(list.joined(separator: ","))]}"#
        guard case .screenSnapshot(let snapshot) = try decode(text).get().body else { throw UnexpectedBody() }
        #expect(snapshot.elements.count == 2_000)
        #expect(snapshot.elements.capacity * MemoryLayout<Element>.stride <= 4 * text.utf8.count)
    }

    @Test func listOfElementsIsMadeForItsLimitAtMost() throws {
        var limits = Limits()
        limits.elements = 3
        let element = #"{"id":"a","type":"text","content":"\#(String(repeating: "x", count: 1_900))","box":[0,0,1,1]}"#
        let text = #"{"type":"screen.snapshot","revision":1,"title":"t","elements":[\#(element)]}"#
        guard case .screenSnapshot(let snapshot) = try decode(text, limits: limits).get().body else {
            throw UnexpectedBody()
        }
        #expect(snapshot.elements.capacity < 2 * limits.elements)
    }

    @Test(arguments: [#"\n"#, #"\u0041"#, #"\u6f22"#, #"\ud83d\ude00"#, #"\ud800"#, "漢", "é"])
    func textsAreNeverLongerThanTheirSpelling(part: String) throws {
        let spelling = String(repeating: part, count: 150)
        guard case .ask(let ask) = try decode(#"{"type":"ask","id":"q","text":"x\#(spelling)"}"#).get().body else {
            throw UnexpectedBody()
        }
        #expect(ask.text.utf8.count <= spelling.utf8.count + 1)
    }
}
