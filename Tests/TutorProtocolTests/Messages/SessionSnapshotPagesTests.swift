// SessionSnapshotPagesTests: no page of a snapshot is longer than a server message may be.
// Spec: docs/protocol.md §3 (`session.snapshot`), §11

import Testing
import TutorProtocol

@Suite struct SessionSnapshotPagesTests {
    /// Every byte of it is written as six.
    private func worst(_ count: Int) -> String { String(repeating: "\u{1F}", count: count) }

    private func ended(_ number: Int, bytes: Int, question: Int = 8_192) -> SessionSnapshot.Ended {
        let end = TurnEnd(
            turn: TurnID(number), re: MessageID("q\(number)"), status: .done, reason: nil,
            answer: worst(bytes), summary: worst(240), dropped: [], usage: nil, firstTextMilliseconds: nil,
            durationMilliseconds: 0)
        return SessionSnapshot.Ended(end, question: worst(question))
    }

    private func length(_ page: SessionSnapshot) -> Int {
        var buffer: [UInt8] = []
        EventEncoder().append(.sessionSnapshot(page), to: &buffer)
        return buffer.count
    }

    @Test(arguments: [524_288, 100_000, 20_000]) func noPageIsTooLong(limit: Int) {
        let text = worst(65_536)
        let whole = SessionSnapshot(
            lastSeq: .max,
            running: SessionSnapshot.Running(turn: TurnID(9), re: MessageID("q9"), text: text),
            turns: (1...5).map { ended($0, bytes: 65_536 / $0) })
        let pages = whole.pages(limit: limit)
        #expect(pages.allSatisfy { length($0) <= limit })
        #expect(pages.map(\.part) == Array(1...pages.count))
        #expect(pages.allSatisfy { $0.parts == pages.count && $0.lastSeq == .max })
        #expect(pages.map { $0.running?.text ?? "" }.joined() == text)
        let turns = pages.flatMap(\.turns)
        #expect(turns.map(\.turn) == turns.map(\.turn).sorted())
        if limit == 524_288 { #expect(turns.count == 5) }
    }

    @Test func aShortSnapshotIsOnePage() {
        let whole = SessionSnapshot(lastSeq: 3, running: nil, turns: [ended(1, bytes: 3, question: 2)])
        #expect(whole.pages(limit: 524_288) == [whole])
        let empty = SessionSnapshot(lastSeq: 0, running: nil, turns: [])
        #expect(empty.pages(limit: 524_288) == [empty])
    }

    @Test func aTextIsCutBetweenItsCharactersOnly() {
        let text = String(repeating: "好👍", count: 3_000)
        let running = SessionSnapshot.Running(turn: TurnID(1), re: nil, text: text)
        let pages = SessionSnapshot(lastSeq: 1, running: running, turns: []).pages(limit: 8_192)
        #expect(pages.count > 1)
        #expect(pages.map { $0.running?.text ?? "" }.joined() == text)
    }
}
