// AskRegisterTests: what became of each ask, so that none runs twice.
// Spec: docs/protocol.md §5 rule 3

import Testing
import TutorCore
import TutorProtocol

@Suite struct AskRegisterTests {
    private let digest = AskDigest(Ask(text: "why?"))

    private func id(_ number: Int) throws -> MessageID {
        try #require(MessageID("q\(number)"))
    }

    private func end(_ number: Int, answer: String) -> LoggedEvent {
        LoggedEvent(
            seq: Int64(number),
            event: .turnEnd(
                TurnEnd(
                    turn: TurnID(number), re: nil, status: .done, reason: nil, answer: answer, summary: nil,
                    dropped: [], usage: nil, firstTextMilliseconds: nil, durationMilliseconds: 0)))
    }

    @Test func anAskIsRememberedForItsTime() throws {
        var asks = AskRegister(capacity: 10, memory: .seconds(600), answerBytes: 100)
        asks.insert(try id(1), digest: digest, now: .zero)
        asks.start(try id(1), seq: 7)
        asks.end(try id(1), end(9, answer: "a"))
        #expect(asks.entry(try id(1), now: .seconds(599))?.startSeq == 7)
        #expect(asks.entry(try id(1), now: .seconds(599))?.digest == digest)
        #expect(asks.entry(try id(1), now: .seconds(600)) == nil)
        #expect(asks.count == 0)
    }

    @Test func anAskWhoseTurnRunsIsNotForgotten() throws {
        var asks = AskRegister(capacity: 10, memory: .seconds(600), answerBytes: 100)
        asks.insert(try id(1), digest: digest, now: .zero)
        #expect(asks.entry(try id(1), now: .seconds(3_600)) != nil)
        asks.end(try id(1), end(1, answer: "a"))
        #expect(asks.entry(try id(1), now: .seconds(3_600)) == nil)
    }

    @Test func theOldestGivesWayWhenFull() throws {
        var asks = AskRegister(capacity: 3, memory: .seconds(600), answerBytes: 100)
        for number in 1...4 { asks.insert(try id(number), digest: digest, now: .zero) }
        #expect(asks.count == 3)
        #expect(asks.entry(try id(1), now: .zero) == nil)
        #expect(asks.entry(try id(2), now: .zero) != nil)
    }

    @Test func keptAnswersStayWithinTheirBytes() throws {
        var asks = AskRegister(capacity: 1_000, memory: .seconds(600), answerBytes: 100)
        for number in 1...200 {
            asks.insert(try id(number), digest: digest, now: .zero)
            asks.end(try id(number), end(number, answer: String(repeating: "x", count: 30)))
        }
        let kept = try (1...200).filter { asks.entry(try id($0), now: .zero)?.end != nil }
        #expect(kept == [198, 199, 200])
        #expect(asks.count == 200)
    }

    @Test func anEndIsKeptOnlyOnceAndOnlyForAKnownAsk() throws {
        var asks = AskRegister(capacity: 10, memory: .seconds(600), answerBytes: 100)
        asks.end(try id(1), end(1, answer: "a"))
        #expect(asks.entry(try id(1), now: .zero) == nil)
        asks.insert(try id(1), digest: digest, now: .zero)
        asks.end(try id(1), end(1, answer: "a"))
        asks.end(try id(1), end(2, answer: "b"))
        #expect(asks.entry(try id(1), now: .zero)?.end == end(1, answer: "a"))
    }

    @Test func roomIsMadeWhenAsksAreForgotten() throws {
        var asks = AskRegister(capacity: 1_000, memory: .seconds(10), answerBytes: 100)
        for number in 1...1_000 {
            let now = Duration.seconds(number * 5)
            asks.insert(try id(number), digest: digest, now: now)
            asks.end(try id(number), end(number, answer: String(repeating: "x", count: 40)))
            #expect(asks.entry(try id(number), now: now)?.end != nil)
            #expect(asks.count <= 2)
        }
    }
}
