// SessionAskTests: which asks get a turn, which wait, which came before; and what cancels them.
// Spec: docs/protocol.md §5 rules 1-5 and 11

import Testing
import TutorCore
import TutorProtocol

@Suite("§5 asks") struct SessionAskTests {
    @Test func anAskGetsOneStartAndOneEnd() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        #expect(harness.starts.count == 1)
        #expect(harness.starts.first?.re?.rawValue == "q1")
        #expect(harness.starts.first?.turn == TurnID(1))
        #expect(harness.starts.first?.revision == 1)
        #expect(harness.starts.first?.cause == .ask)
        #expect(harness.states == [.thinking])
        #expect(harness.openCalls == [ModelCallID(1)])
        harness.answer("Look again.")
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.ends.first?.re?.rawValue == "q1")
        #expect(!harness.session.isBusy)
    }

    @Test func theStartSaysWhatTheModelGetsToSee() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        let context = try #require(harness.starts.first?.context)
        #expect(context.elements == 5)
        #expect(context.sent == 5)
        #expect(context.budget >= 250)
        #expect(context.promptTokens > 0)
        #expect(context.summaries == 0)
        #expect(harness.starts.first?.model == "builtin")
    }

    @Test func anAskWithoutIDIsRefused() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "why?")))
        #expect(harness.errors.map(\.code) == [.badMessage])
        #expect(harness.errors.first?.path == "id")
        #expect(harness.openCalls.isEmpty)
    }

    @Test func aSecondAskSupersedesTheFirst() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("One"))
        _ = harness.takeLines()
        harness.ask("And this?", id: "q2")
        #expect(harness.cancelledCalls == [ModelCallID(1)])
        let kinds = harness.events.map { event -> String in
            switch event {
            case .turnEnd(let end): "end \(end.turn) \(end.status) \(end.answer)"
            case .turnStart(let start): "start \(start.turn)"
            default: "other"
            }
        }
        #expect(kinds == ["end t1 superseded One", "start t2"])
        // What the first call still says comes too late.
        #expect(harness.model(.text("late"), of: ModelCallID(1)).isEmpty)
        #expect(harness.model(.finished(.stop), of: ModelCallID(1)).isEmpty)
        harness.answer("Two")
        #expect(harness.ends.last?.answer == "Two")
    }

    @Test func anAskThatWillNotDisturbIsRefusedWhileATurnRuns() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.send(.ask(Ask(text: "And this?", whenBusy: .reject)), id: "q2")
        #expect(harness.errors.map(\.code) == [.busy])
        #expect(harness.errors.first?.re?.rawValue == "q2")
        #expect(harness.cancelledCalls.isEmpty)
        harness.answer("One")
        // A refused ask was not accepted: its id is free.
        harness.send(.ask(Ask(text: "And this?", whenBusy: .reject)), id: "q2")
        #expect(harness.starts.map(\.turn) == [TurnID(1), TurnID(2)])
    }

    @Test func theSameAskAgainReSendsItsEventsAndRunsOnce() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("One "))
        let soFar = harness.session.log.events(after: 0).map(Array.init)
        harness.ask(id: "q1")
        #expect(harness.lines.last == soFar.map(SessionHarness.Line.resent))
        harness.answer("two")
        let all = harness.session.log.events(after: 0).map(Array.init)
        harness.ask(id: "q1")
        #expect(harness.lines.last == all.map(SessionHarness.Line.resent))
        #expect(harness.requests.count == 1)
        #expect(harness.ends.count == 1)
    }

    @Test func onlyTheTurnOfThatAskIsSentAgain() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("One")
        let first = harness.session.log.events(after: 0).map(Array.init)
        harness.ask("Other?", id: "q2")
        harness.answer("Two")
        harness.ask(id: "q1")
        #expect(harness.lines.last == first.map(SessionHarness.Line.resent))
    }

    @Test func anAskWhoseEventsLeftTheLogGetsItsEnd() throws {
        var harness = try SessionHarness.onAlgebra { $0.limits.logEvents = 4 }
        harness.ask(id: "q1")
        harness.answer("One")
        harness.ask("Other?", id: "q2")
        harness.answer("Two")
        harness.ask(id: "q1")
        guard case .resent(let events) = harness.lines.last, case .turnEnd(let end) = events.first?.event.event else {
            Issue.record("no end was sent again")
            return
        }
        #expect(events.count == 1)
        #expect(events.first?.event.seq == 3)
        #expect(end.answer == "One")
        #expect(harness.requests.count == 2)
    }

    @Test func theSameIDWithOtherContentIsABadMessage() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask("one", id: "q1")
        harness.ask("two", id: "q1")
        #expect(harness.errors.map(\.code) == [.badMessage])
        #expect(harness.errors.first?.path == "id")
        #expect(harness.requests.count == 1)
        #expect(harness.session.isBusy)
    }

    @Test func anIDIsFreeAgainAfterTenMinutes() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask("one", id: "q1")
        harness.answer("One")
        harness.wait(.seconds(599))
        harness.ask("two", id: "q1")
        #expect(harness.errors.count == 1)
        harness.wait(.seconds(1))
        harness.ask("two", id: "q1")
        #expect(harness.starts.count == 2)
    }

    @Test func aRunningTurnIsCancelledByItsNumberOrItsAsk() throws {
        for cancel in [Cancel.turn(TurnID(1)), .ask(try #require(MessageID("q1")))] {
            var harness = try SessionHarness.onAlgebra()
            harness.ask(id: "q1")
            harness.model(.text("Half an"))
            harness.send(.cancel(cancel), id: "c1")
            #expect(harness.cancelledCalls == [ModelCallID(1)])
            #expect(harness.ends.map(\.status) == [.cancelled])
            #expect(harness.ends.first?.answer == "Half an")
            #expect(harness.messages.last == .ok(re: try #require(MessageID("c1"))))
            #expect(harness.model(.text(" answer"), of: ModelCallID(1)).isEmpty)
        }
    }

    @Test func cancellingWhatIsOverOrUnknownIsFine() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("One")
        _ = harness.takeLines()
        harness.send(.cancel(.ask(try #require(MessageID("q1")))), id: "c1")
        harness.send(.cancel(.turn(TurnID(1))), id: "c2")
        harness.send(.cancel(.turn(TurnID(99))), id: "c3")
        harness.send(.cancel(.turn(TurnID(99))))
        #expect(harness.messages.count == 3)
        #expect(harness.events.isEmpty)
        // The cancel of a finished ask leaves no mark: the ask is still known.
        harness.ask(id: "q1")
        #expect(harness.starts.isEmpty)
    }

    @Test func aCancelThatOvertakesItsAskKillsIt() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.cancel(.ask(try #require(MessageID("q1")))), id: "c1")
        harness.ask(id: "q1")
        #expect(harness.starts.count == 1)
        #expect(harness.ends.map(\.status) == [.cancelled])
        #expect(harness.ends.first?.usage == nil)
        #expect(harness.requests.isEmpty)
        // And it does so once; the id is now the key of that turn.
        _ = harness.takeLines()
        harness.ask(id: "q1")
        #expect(harness.events.isEmpty)
        harness.ask(id: "q2")
        #expect(harness.openCalls.count == 1)
    }

    @Test func aQuestionRightAfterAStopIsAnswered() throws {
        var harness = try SessionHarness.onAlgebra { $0.limits.asksPerMinute = 10_000 }
        for round in 0..<500 {
            harness.ask(id: "a\(round)")
            harness.model(.text("x"))
            let old = try #require(harness.openCalls.last)
            harness.send(.cancel(.ask(try #require(MessageID("a\(round)")))))
            harness.wait(.milliseconds(5))
            harness.ask(id: "b\(round)")
            harness.model(.text("late"), of: old)
            harness.answer("done")
            #expect(harness.ends.last?.status == .done)
            #expect(harness.ends.last?.answer == "done")
            _ = harness.takeLines()
        }
    }

    @Test func aNewerRevisionIsWaitedFor() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1")
        #expect(harness.resyncs == [ScreenResync(revision: 1, why: .gap)])
        #expect(harness.starts.isEmpty)
        #expect(harness.session.isBusy)
        harness.wait(.milliseconds(500))
        harness.send(.screenSnapshot(try TestScreen.algebra(revision: 2)))
        #expect(harness.starts.first?.revision == 2)
        #expect(harness.timers.isEmpty)
        harness.answer("Done [[\(try harness.alias("e2"))]].")
        #expect(harness.highlights.count == 1)
        // The wait counts: the student waited too.
        #expect(harness.ends.first?.firstTextMilliseconds == 500)
    }

    @Test func aScreenThatIsStillTooOldIsNotTheOneWaitedFor() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "why?", revision: 4)), id: "q1")
        harness.send(.screenSnapshot(try TestScreen.algebra(revision: 3)))
        #expect(harness.starts.isEmpty)
        harness.send(.screenDelta(ScreenDelta(base: 3, revision: 4)))
        #expect(harness.starts.map(\.revision) == [4])
    }

    @Test func aScreenThatDoesNotComeIsDoneWithout() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1")
        harness.wait(.milliseconds(1_999))
        #expect(harness.starts.isEmpty)
        harness.wait(.milliseconds(1))
        #expect(harness.starts.count == 1)
        #expect(harness.starts.first?.revision == nil)
        #expect(harness.request?.lesson.elements.isEmpty == true)
        harness.answer("See [[1]] here.")
        #expect(harness.highlights.isEmpty)
        #expect(harness.ends.first?.status == .done)
    }

    @Test func aRepeatedAskThatStillWaitsIsWaitedForOnce() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1")
        #expect(harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1").isEmpty)
        harness.wait(.seconds(2))
        #expect(harness.starts.count == 1)
    }

    @Test(arguments: ["cancel", "supersede", "close", "lose"])
    func aWaitingAskThatIsOverGetsItsStartAndEndTogether(how: String) throws {
        var harness = try SessionHarness.onAlgebra { $0.snapshotWait = .seconds(60) }
        harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1")
        switch how {
        case "cancel": harness.send(.cancel(.ask(try #require(MessageID("q1")))))
        case "supersede": harness.ask("Other?", id: "q2")
        case "close": harness.disconnect(.closed)
        default:
            harness.disconnect(.lost)
            harness.wait(.seconds(20))
        }
        let statuses: [String: TurnEnd.Status] = [
            "cancel": .cancelled, "supersede": .superseded, "close": .cancelled, "lose": .expired,
        ]
        #expect(harness.ends.map(\.status) == [try #require(statuses[how])])
        #expect(harness.ends.first?.usage == nil)
        #expect(harness.starts.count == (how == "supersede" ? 2 : 1))
        #expect(harness.requests.count == (how == "supersede" ? 1 : 0))
        #expect(harness.timers[.snapshotWait] == nil)
    }

    @Test func anAskWithoutAnyScreenIsAnsweredWithoutHighlights() {
        var harness = SessionHarness()
        harness.ask(id: "q1")
        #expect(harness.starts.first?.revision == nil)
        #expect(harness.starts.first?.context.elements == 0)
        harness.answer("A variable stands for a number [[1]].")
        #expect(harness.highlights.isEmpty)
        #expect(harness.ends.first?.status == .done)
        #expect(harness.ends.first?.dropped.map(\.why) == [.unknown])
        #expect(harness.requests.count == 1)
    }

    @Test func theNextHintIsOfTheSameQuestion() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "Why is this wrong?", hintLevel: 1)), id: "q1")
        harness.answer("Look at the second line.")
        harness.send(.ask(Ask(text: "", of: TurnID(1))), id: "q2")
        #expect(harness.starts.last?.cause == .hint)
        #expect(harness.starts.last?.hintLevel == 2)
        #expect(harness.request?.lesson.question == "Why is this wrong?")
        #expect(harness.request?.lesson.hintLevel == 2)
    }

    @Test func aHintOfAnUnknownTurnIsRefused() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ask(Ask(text: "", of: TurnID(7))), id: "q1")
        #expect(harness.errors.map(\.code) == [.unknownTurn])
        #expect(harness.starts.isEmpty)
    }

    @Test func anEmptyOrEndlessQuestionIsRefused() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask("", id: "q1")
        harness.ask(String(repeating: "x", count: 8_193), id: "q2")
        #expect(harness.errors.map(\.code) == [.badMessage, .badMessage])
        #expect(harness.errors.map(\.path) == ["text", "text"])
        harness.ask(String(repeating: "x", count: 8_192), id: "q3")
        #expect(harness.starts.count == 1)
    }

    @Test func tooManyQuestionsAreRefusedUntilThereIsRoom() throws {
        var harness = try SessionHarness.onAlgebra()
        for number in 1...20 {
            harness.ask(id: "q\(number)")
            harness.answer("ok")
        }
        _ = harness.takeLines()
        harness.ask(id: "q21")
        #expect(harness.errors.map(\.code) == [.rateLimited])
        #expect(harness.errors.first?.retryMilliseconds == 3_000)
        #expect(harness.starts.isEmpty)
        harness.wait(.seconds(3))
        harness.ask(id: "q21")
        #expect(harness.starts.count == 1)
    }

    @Test func repeatedQuestionsHaveTheirOwnLimit() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("ok")
        for _ in 0..<25 { harness.ask(id: "q1") }
        #expect(harness.errors.map(\.code) == Array(repeating: .rateLimited, count: 5))
        _ = harness.takeLines()
        harness.ask(id: "q2")
        #expect(harness.starts.count == 1)
    }
}
