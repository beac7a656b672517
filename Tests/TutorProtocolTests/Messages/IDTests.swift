// IDTests: the ids of messages and turns.
// Spec: docs/protocol.md §2 (`id`), §5 (`turn`)

import Testing
import TutorProtocol

@Suite("Message and turn ids")
struct IDTests {
    @Test(arguments: ["c1", " ", "漢", "a\"b", String(repeating: "x", count: 64)])
    func acceptsAMessageID(text: String) { #expect(MessageID(text)?.description == text) }

    @Test(arguments: [
        "", "\u{1F}", "a\n", "\u{7F}", String(repeating: "x", count: 65), String(repeating: "漢", count: 22),
    ])
    func refusesAMessageID(text: String) { #expect(MessageID(text) == nil) }

    @Test func readsAndWritesTurnIDs() {
        for number in [1, 9, 10, 4_711, Int.max] { #expect(TurnID(wire: "t\(number)") == TurnID(number)) }
        #expect(TurnID(12).description == "t12")
        #expect(TurnID(2) < TurnID(10))
    }

    @Test(arguments: [
        "", "t", "1", "t0", "t01", "t-1", "t+1", "T1", "t1 ", " t1", "t1.0", "t99999999999999999999", "t１",
    ])
    func refusesATurnID(text: String) { #expect(TurnID(wire: text) == nil) }

    @Test func noTurnHasTheIDOfNone() {
        #expect(TurnID.none < TurnID(1))
        #expect(TurnID(wire: TurnID.none.description) == nil)
    }
}
