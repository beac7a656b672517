// EventLogTests: what happened in a session, numbered, bounded.
// Spec: docs/protocol.md §2 (the log, merging)

import Testing
import TutorCore
import TutorProtocol

@Suite struct EventLogTests {
    private func delta(_ text: String, turn: Int = 1) -> TurnEvent {
        .answerDelta(AnswerDelta(turn: TurnID(turn), text: text))
    }

    private func observed(turn: Int = 1) -> TurnEvent {
        .stepObserved(StepObserved(turn: TurnID(turn), step: 1, met: true))
    }

    private func end(turn: Int) -> TurnEvent {
        .turnEnd(
            TurnEnd(
                turn: TurnID(turn), re: nil, status: .done, reason: nil, answer: "", summary: nil, dropped: [],
                usage: nil, firstTextMilliseconds: nil, durationMilliseconds: 0))
    }

    @Test func numbersFromOneWithoutGaps() {
        var log = EventLog(capacity: 10, byteCapacity: 1_000)
        #expect(log.lastSeq == 0)
        #expect(log.firstSeq == 1)
        let seqs = (0..<100).map { _ in log.append(observed()).seq }
        #expect(seqs == Array(1...100))
        #expect(log.lastSeq == 100)
    }

    @Test func keepsTheNewestEvents() {
        var log = EventLog(capacity: 10, byteCapacity: 1_000)
        for number in 1...1_000 {
            _ = log.append(delta("\(number)", turn: number))
            #expect(log.entryCount == min(10, number))
        }
        #expect(log.firstSeq == 991)
        #expect(log.events(after: 989) == nil)
        #expect(log.events(after: 990)?.map(\.event.seq) == Array(991...1_000))
        #expect(log.events(after: 999)?.map(\.event.event) == [delta("1000", turn: 1_000)])
        #expect(log.events(after: 1_000) == [])
        #expect(log.events(after: 1_001) == nil)
        #expect(log.events(after: -1) == nil)
        #expect(log.events(after: .max) == nil)
        #expect(log.events(after: .min) == nil)
    }

    @Test func keepsWithinItsBytesButAlwaysTheNewest() {
        var log = EventLog(capacity: 1_000, byteCapacity: 21)
        for turn in 1...5 { _ = log.append(delta("xyz", turn: turn)) }
        #expect(log.entryCount == 3)
        #expect(log.byteCount == 21)
        _ = log.append(delta(String(repeating: "x", count: 50)))
        #expect(log.entryCount == 1)
        #expect(log.byteCount == 54)
        _ = log.append(observed())
        #expect(log.entryCount == 1)
        #expect(log.byteCount == 0)
    }

    /// A slow reader of a long answer misses nothing, though the answer has more pieces than the log has room for.
    @Test(arguments: [1, 17, 300, 65_536]) func aLongAnswerIsReadWholeFromAnywhere(byteLimit: Int) {
        var log = EventLog(capacity: 10, byteCapacity: 1_048_576)
        let pieces = (1...3_000).map { "\($0)字👍🏽"[...] }
        for piece in pieces { _ = log.append(delta(String(piece))) }
        #expect(log.entryCount <= 10)
        #expect(log.firstSeq == 1)
        for start in [0, 1, 2, 1_499, 2_998, 2_999] {
            #expect(log.events(after: Int64(start))?.count == 3_000 - start)
            var text = ""
            var seq = Int64(start)
            while let next = log.next(after: seq, byteLimit: byteLimit), case .answerDelta(let delta) = next.event.event
            {
                text += delta.text
                seq = next.event.seq
            }
            #expect(text == pieces[start...].joined())
        }
    }

    @Test func anEventComesBackAsItWentIn() {
        var log = EventLog(capacity: 100, byteCapacity: 1_048_576)
        let events = (1...300).map { number in
            number % 7 == 0 ? observed() : delta(String(repeating: "é", count: number), turn: 1 + number / 50)
        }
        let logged = events.map { log.append($0) }
        #expect(logged.map(\.event) == events)
        #expect(log.events(after: 0)?.map(\.event) == logged)
    }

    @Test func mergesAdjacentTextOfOneTurnOnly() throws {
        var log = EventLog(capacity: 100, byteCapacity: 1_000)
        let events = [
            delta("a"), delta("b"), observed(), delta("c"), delta("d", turn: 2), delta("e", turn: 2),
            delta("f", turn: 2),
            end(turn: 2),
        ]
        for event in events { _ = log.append(event) }
        var seen: [EventLog.Merged] = []
        var seq: Int64 = 0
        while let next = log.next(after: seq, byteLimit: 1_000) {
            seen.append(next)
            seq = next.event.seq
        }
        #expect(seen.map(\.event.seq) == [2, 3, 4, 7, 8])
        #expect(seen.map(\.fromSeq) == [1, nil, nil, 5, nil])
        #expect(seen.map(\.event.event) == [delta("ab"), observed(), delta("c"), delta("def", turn: 2), end(turn: 2)])
    }

    @Test(arguments: [1, 2, 3, 7, 100]) func mergedTextStaysWithinItsLimitAndLosesNothing(limit: Int) {
        var log = EventLog(capacity: 100, byteCapacity: 1_000)
        let pieces = ["ab", "c", "def", "g", "hijk", "l", "好"]
        for piece in pieces { _ = log.append(delta(piece)) }
        for start in 0...pieces.count {
            var text = ""
            var seq = Int64(start)
            while let next = log.next(after: seq, byteLimit: limit) {
                guard case .answerDelta(let delta) = next.event.event else { break }
                #expect((next.fromSeq ?? next.event.seq) == seq + 1)
                // A single piece may be longer than the limit; it is never cut.
                #expect(delta.text.utf8.count <= limit || next.fromSeq == nil)
                text += delta.text
                seq = next.event.seq
            }
            #expect(text == pieces[start...].joined())
            #expect(seq == log.lastSeq)
        }
    }

    @Test func nothingNewAndNoLongerHeldGiveNothing() {
        var log = EventLog(capacity: 2, byteCapacity: 1_000)
        #expect(log.next(after: 0, byteLimit: 10) == nil)
        for _ in 0..<4 { _ = log.append(observed()) }
        #expect(log.next(after: 1, byteLimit: 10) == nil)
        #expect(log.next(after: 2, byteLimit: 10)?.event.seq == 3)
        #expect(log.next(after: 4, byteLimit: 10) == nil)
    }

    @Test func aTurnsEventsEndWithItsEnd() {
        var log = EventLog(capacity: 5, byteCapacity: 1_000)
        for event in [delta("a"), end(turn: 1), delta("b", turn: 2), observed(turn: 1), delta("c", turn: 2)] {
            _ = log.append(event)
        }
        #expect(log.events(ofTurnStartedAt: 1)?.map(\.event.seq) == [1, 2])
        #expect(log.events(ofTurnStartedAt: 3)?.map(\.event.seq) == [3, 5])
        _ = log.append(end(turn: 2))
        #expect(log.events(ofTurnStartedAt: 1) == nil)
        #expect(log.events(ofTurnStartedAt: 3)?.map(\.event.seq) == [3, 5, 6])
        #expect(log.events(ofTurnStartedAt: 7) == nil)
        #expect(log.events(ofTurnStartedAt: 0) == nil)
        #expect(log.events(ofTurnStartedAt: .min) == nil)
    }
}
