// HintLadder: more help for more work.
// Spec: docs/protocol.md §5 rule 11

import Testing
import TutorCore

@Suite("Hint levels")
struct HintLadderTests {
    @Test(arguments: [(-3, 0), (0, 0), (1, 1), (2, 2), (3, 2), (4, 2), (9, 2)])
    func grantsAtMostTwoBeforeAnyWork(asked: Int, granted: Int) {
        var ladder = HintLadder()
        #expect(ladder.grant(asked: asked, now: .seconds(100)) == granted)
    }

    @Test func risesByOneForEachEvidenceOfWork() {
        var ladder = HintLadder()
        #expect(ladder.grant(asked: 4, now: .zero) == 2)
        ladder.noteWork()
        #expect(ladder.grant(asked: 4, now: .seconds(1)) == 3)
        ladder.noteWork()
        #expect(ladder.grant(asked: 4, now: .seconds(2)) == 4)
        ladder.noteWork()
        #expect(ladder.ceiling == 4)
        #expect(ladder.grant(asked: 1, now: .seconds(3)) == 1)
    }

    @Test func countsEightSecondsOfThoughtOnceATurn() {
        var ladder = HintLadder()
        #expect(ladder.grant(asked: 4, now: .seconds(1)) == 2)
        #expect(ladder.grant(asked: 4, now: .milliseconds(8_999)) == 2)
        #expect(ladder.grant(asked: 4, now: .milliseconds(16_999)) == 3)
        #expect(ladder.grant(asked: 4, now: .seconds(500)) == 4)
    }

    @Test func neverExceedsThePolicy() {
        var ladder = HintLadder()
        ladder.noteWork()
        ladder.noteWork()
        #expect(ladder.grant(asked: 4, maximum: 1, now: .zero) == 1)
    }

    @Test func beginsAnewOnAnotherScreen() {
        var ladder = HintLadder()
        ladder.noteWork()
        _ = ladder.grant(asked: 4, now: .zero)
        ladder.beginScreen()
        #expect(ladder.grant(asked: 4, now: .seconds(60)) == 2)
    }
}
