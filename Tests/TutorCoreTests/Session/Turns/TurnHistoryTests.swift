// TurnHistoryTests: what the last turns were about, for those who ask for the next hint.
// Spec: docs/protocol.md §5 rule 11

import Testing
import TutorCore
import TutorProtocol

@Suite struct TurnHistoryTests {
    private func record(_ number: Int) throws -> TurnRecord {
        let ask = try #require(MessageID("a\(number)"))
        return TurnRecord(
            turn: TurnID(number), ask: ask, digest: AskDigest(Ask(text: "q\(number)")), question: "q\(number)",
            cause: .ask, language: nil, hintLevel: 2, startSeq: Int64(number), askedAt: 0)
    }

    @Test func theOldestIsForgotten() throws {
        var history = TurnHistory(capacity: 3)
        for number in 1...5 {
            history.put(try record(number))
            history.put(try record(number))
        }
        #expect(history.count == 3)
        #expect(history[TurnID(2)] == nil)
        #expect(history[TurnID(3)]?.question == "q3")
        #expect(history[TurnID(5)]?.question == "q5")
        #expect(history[TurnID(6)] == nil)
    }
}
