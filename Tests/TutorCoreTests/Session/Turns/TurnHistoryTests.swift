// TurnHistoryTests: what the last turns were about, for those who ask for the next hint.
// Spec: docs/protocol.md §5 rule 11

import Testing
import TutorCore
import TutorProtocol

@Suite struct TurnHistoryTests {
    @Test func theOldestIsForgotten() {
        var history = TurnHistory(capacity: 3)
        for number in 1...5 {
            history.append(.init(turn: TurnID(number), question: "q\(number)", language: nil, hintLevel: 2))
        }
        #expect(history.count == 3)
        #expect(history[TurnID(2)] == nil)
        #expect(history[TurnID(3)]?.question == "q3")
        #expect(history[TurnID(5)]?.question == "q5")
        #expect(history[TurnID(6)] == nil)
    }
}
