// SessionModelTests: what a model says becomes events, and how its turn ends.
// Spec: docs/protocol.md §5 rules 1, 6 and 8

import Testing
import TutorCore
import TutorProtocol

@Suite("§5 the model's side") struct SessionModelTests {
    private func harness(
        asking: Bool = true, _ change: (inout SessionConfiguration) -> Void = { _ in }
    ) throws -> SessionHarness {
        var configuration = SessionConfiguration()
        change(&configuration)
        var harness = SessionHarness(configuration: configuration)
        harness.send(.screenSnapshot(try TestScreen.algebra()))
        if asking { harness.ask(id: "q1") }
        return harness
    }

    @Test func textAndTargetsGoOutInOrderWithTheirPlace() throws {
        var harness = try harness()
        let e2 = try harness.alias("e2")
        let go = try harness.alias("go")
        _ = harness.takeLines()
        for piece in ["看第二行 ", "[[", "\(e2)", "]]", ": 👍🏽 the sign. ", "[[\(go) tap]]", "Then go on."] {
            harness.model(.text(piece))
        }
        harness.model(.finished(.stop))
        let end = try #require(harness.ends.first)
        #expect(end.status == .done)
        #expect(end.answer == harness.text)
        #expect(!end.answer.contains("[["))
        let highlight = try #require(harness.highlights.first)
        #expect(highlight.element.rawValue == "e2")
        #expect(highlight.box == (try TestScreen.box(row: 1)))
        #expect(highlight.revision == 1)
        #expect(highlight.ttlMilliseconds == 15_000)
        let step = try #require(harness.steps.first)
        #expect(step.step == 1)
        #expect(step.verb == .tap)
        #expect(step.element.rawValue == "go")
        // `at` is the number of Unicode scalars in the deltas before it.
        var scalars = 0
        for event in harness.events {
            switch event {
            case .answerDelta(let delta): scalars += delta.text.unicodeScalars.count
            case .highlight(let highlight): #expect(highlight.at == scalars)
            case .nextAction(let action): #expect(action.at == scalars)
            default: break
            }
        }
        #expect(harness.states == [.answering])
    }

    @Test func aHighlightLeavesWithTheChunkThatCompletesIt() throws {
        var harness = try harness()
        let alias = try harness.alias("e2")
        harness.model(.text("Look [[\(alias)]"))
        #expect(harness.highlights.isEmpty)
        harness.model(.text("]"))
        #expect(harness.highlights.count == 1)
    }

    @Test func anElementGetsOneRingATurn() throws {
        var harness = try harness()
        let alias = try harness.alias("e2")
        harness.answer("Here [[\(alias)]], and again [[\(alias)]] there.")
        #expect(harness.highlights.count == 1)
        #expect(harness.ends.first?.dropped.isEmpty == true)
    }

    @Test func ringsAreLimited() throws {
        var harness = try harness { $0.limits.highlights = 2 }
        let aliases = try ["e1", "e2", "e3"].map { try harness.alias($0) }
        harness.answer("a [[\(aliases[0])]] b [[\(aliases[1])]] c [[\(aliases[2])]] d")
        #expect(harness.highlights.map(\.element.rawValue) == ["e1", "e2"])
        #expect(harness.ends.first?.status == .done)
        #expect(harness.requests.count == 1)
    }

    @Test func stepsAreNumberedAndLimited() throws {
        var harness = try harness { $0.steps = 2 }
        let input = try harness.alias("in")
        let go = try harness.alias("go")
        harness.answer("a [[\(input) type:2]] b [[\(go) tap]] c [[\(go) tap]]")
        #expect(harness.steps.map(\.step) == [1, 2])
        #expect(harness.steps.map(\.text) == ["2", nil])
    }

    @Test func inventedTargetsAreDroppedAndNamed() throws {
        var harness = try harness()
        let alias = try harness.alias("e2")
        harness.answer("Look [[\(alias)]] and [[4711]].")
        #expect(harness.highlights.count == 1)
        #expect(harness.ends.first?.dropped == [TurnEnd.Dropped(element: "4711", why: .unknown)])
        #expect(harness.requests.count == 1)
    }

    @Test func onlyTheRowsMayBePointedAtWhereTheModelKnowsNoMore() throws {
        var harness = try harness(asking: false) {
            $0.pointsAnywhere = false
            $0.screenBudget = 1
        }
        harness.send(
            .screenSnapshot(
                ScreenSnapshot(
                    revision: 2,
                    elements: try (0..<60).map { row in
                        try TestScreen.element("p\(row)", "Paragraph number \(row) about something else", row: row)
                    })))
        harness.ask("Where is paragraph 7?", id: "q1")
        let sent = try #require(harness.starts.first?.context.sent)
        let lesson = try #require(harness.request?.lesson)
        #expect(sent < lesson.elements.count)
        harness.model(.text(lesson.elements.map { "x [[\($0.alias)]] " }.joined()))
        harness.model(.finished(.stop))
        #expect(harness.highlights.count == min(sent, 8))
        #expect(harness.ends.first?.dropped.count == min(lesson.elements.count - sent, 64))
    }

    @Test func aTargetThatChangedMeanwhileIsDroppedAsStale() throws {
        var harness = try harness()
        let (e1, e2) = (try harness.alias("e1"), try harness.alias("e2"))
        harness.send(
            .screenDelta(
                ScreenDelta(
                    base: 1, revision: 2,
                    update: [ElementUpdate(id: try TestScreen.id("e2"), content: "2x = 4")])))
        harness.answer("Look [[\(e2)]] after [[\(e1)]].")
        #expect(harness.highlights.map(\.element.rawValue) == ["e1"])
        #expect(harness.highlights.first?.revision == 2)
        #expect(harness.ends.first?.dropped == [TurnEnd.Dropped(element: "e2", why: .stale)])
    }

    @Test func aTargetThatMovedMeanwhileIsShownWhereItIsNow() throws {
        var harness = try harness()
        let alias = try harness.alias("e2")
        harness.send(
            .screenDelta(
                ScreenDelta(
                    base: 1, revision: 2,
                    update: [ElementUpdate(id: try TestScreen.id("e2"), box: try TestScreen.box(row: 8))])))
        harness.answer("Look [[\(alias)]] and [[\(alias) tap]].")
        #expect(harness.highlights.map(\.box) == [try TestScreen.box(row: 8)])
        #expect(harness.steps.map(\.box) == [try TestScreen.box(row: 8)])
        #expect(harness.highlights.map(\.revision) == [2])
    }

    @Test func aliasesBeginAgainWhenNoElementHoldsOne() throws {
        var harness = try harness()
        let first = Set(try #require(harness.request).lesson.elements.map(\.alias))
        harness.answer("ok")
        harness.send(.screenSnapshot(ScreenSnapshot(revision: 1, url: "https://example.org/", elements: [])))
        for turn in 0..<5 {
            harness.ask(id: "empty\(turn)")
            harness.answer("ok")
        }
        harness.send(.screenSnapshot(try TestScreen.algebra()))
        harness.ask(id: "last")
        #expect(Set(try #require(harness.request).lesson.elements.map(\.alias)) == first)
    }

    /// A client that numbers the rows of a list gives the id to another row when it sorts the list anew.
    @Test func aReferenceIntoAListThatWasSortedAnewMeansNoOtherRow() throws {
        var harness = try harness(asking: false)
        let rows = ["Anna 3 points", "Ben 9 points", "Chen 7 points"]
        harness.send(
            .screenSnapshot(
                ScreenSnapshot(
                    revision: 2,
                    elements: try rows.enumerated().map { try TestScreen.element("r\($0)", $1, row: $0) })))
        harness.ask("Who has most?", id: "q1")
        let ben = try harness.alias("r1")
        harness.send(
            .screenDelta(
                ScreenDelta(
                    base: 2, revision: 3,
                    update: try ["Ben 9 points", "Chen 7 points", "Anna 3 points"].enumerated().map {
                        ElementUpdate(id: try TestScreen.id("r\($0)"), content: $1)
                    })))
        harness.model(.text("It is Ben [[\(ben)]]."))
        #expect(harness.highlights.isEmpty)
        // No row is what it was: there is nothing that a repair could point at.
        harness.model(.finished(.stop))
        #expect(harness.ends.first?.dropped == [TurnEnd.Dropped(element: "r1", why: .stale)])
    }

    @Test func whenAllTargetsAreDeadThereIsOneRepair() throws {
        var harness = try harness()
        let alias = try harness.alias("e2")
        harness.model(.usage(ModelUsage(input: 100, cached: 10, output: 20)))
        harness.answer("The sign [[4711]] is wrong.")
        #expect(harness.ends.isEmpty)
        #expect(harness.states == [.thinking, .answering, .repairing])
        #expect(harness.openCalls == [ModelCallID(2)])
        let said = harness.text
        // A repair adds events, never text; what the first call still says is late.
        #expect(harness.model(.text("late"), of: ModelCallID(1)).isEmpty)
        harness.model(.usage(ModelUsage(input: 110, cached: 90, output: 5)))
        harness.answer("Sorry, I meant [[\(alias)]]. [[sum: nothing]]")
        #expect(harness.text == said)
        #expect(harness.highlights.map(\.element.rawValue) == ["e2"])
        #expect(harness.highlights.first?.at == said.unicodeScalars.count)
        let end = try #require(harness.ends.first)
        #expect(end.status == .done)
        #expect(end.answer == said)
        #expect(end.dropped.map(\.element) == ["4711"])
        #expect(end.usage == TurnEnd.Usage(input: 210, cached: 100, output: 25, estimated: false))
        #expect(end.summary != "nothing")
    }

    @Test func thereIsNoSecondRepair() throws {
        var harness = try harness()
        harness.answer("The sign [[4711]] is wrong.")
        harness.answer("I meant [[4712]].")
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.ends.first?.dropped.map(\.element) == ["4711", "4712"])
        #expect(harness.requests.count == 2)
    }

    @Test func aRepairThatFailsIsNoFailureOfTheTurn() throws {
        for event in [ModelEvent.failed(.timeout), .finished(.contentFilter), .finished(.length)] {
            var harness = try harness()
            harness.answer("The sign [[4711]] is wrong.")
            harness.model(event)
            #expect(harness.ends.map(\.status) == [.done])
            #expect(harness.ends.first?.reason == nil)
        }
    }

    @Test func aRepairThatNeverStopsIsCut() throws {
        var harness = try harness { $0.answerBytes = 100 }
        harness.answer("The sign [[4711]] is wrong.")
        harness.model(.text(String(repeating: "blah ", count: 50)))
        #expect(harness.cancelledCalls == [ModelCallID(2)])
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.ends.first?.reason == nil)
        #expect(harness.ends.first?.answer.contains("blah") == false)
    }

    @Test func aRepairCanBeCancelled() throws {
        var harness = try harness()
        harness.answer("The sign [[4711]] is wrong.")
        harness.send(.cancel(.turn(TurnID(1))))
        #expect(harness.cancelledCalls == [ModelCallID(2)])
        #expect(harness.ends.map(\.status) == [.cancelled])
        #expect(harness.ends.first?.answer.contains("The sign") == true)
    }

    @Test func anAnswerThatQuotesALabelGetsItsRing() throws {
        var harness = try harness()
        harness.answer("Press \"Submit\" now.")
        #expect(harness.highlights.map(\.element.rawValue) == ["go"])
        #expect(harness.highlights.first?.at == harness.text.unicodeScalars.count)
        #expect(harness.ends.first?.status == .done)
    }

    @Test(arguments: [
        (ModelError.timeout, "upstream_timeout"), (.refused(status: 401), "upstream_refused"),
        (.rateLimited(retryMilliseconds: nil), "upstream_rate_limited"),
    ])
    func aFailureKeepsTheTextThatCame(error: ModelError, reason: String) throws {
        var harness = try harness()
        harness.model(.text("Half an ans"))
        harness.model(.failed(error))
        let end = try #require(harness.ends.first)
        #expect(end.status == .failed)
        #expect(end.reason == reason)
        #expect(end.answer == "Half an ans")
        #expect(harness.cancelledCalls.isEmpty)
        #expect(!harness.session.isBusy)
    }

    @Test func anAnswerCutByTheModelIsDoneWithItsReason() throws {
        var harness = try harness()
        harness.answer("Half an ans", .length)
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.ends.first?.reason == "length")
    }

    @Test(arguments: ["", " \n ", "[[sum: nothing said]]"])
    func anAnswerThatSaysNothingHasFailed(text: String) throws {
        var harness = try harness()
        if !text.isEmpty { harness.model(.text(text)) }
        harness.model(.finished(.stop))
        #expect(harness.ends.map(\.status) == [.failed])
        #expect(harness.ends.first?.reason == "upstream_invalid")
        #expect(harness.ends.first?.firstTextMilliseconds == nil || !harness.text.isEmpty)
    }

    @Test func aFilteredAnswerHasFailed() throws {
        var harness = try harness()
        harness.answer("Half", .contentFilter)
        #expect(harness.ends.map(\.status) == [.failed])
        #expect(harness.ends.first?.reason == "upstream_refused")
        #expect(harness.ends.first?.answer == "Half")
    }

    @Test func anEndlessAnswerIsCutBetweenCharacters() throws {
        var harness = try harness { $0.answerBytes = 10 }
        harness.model(.text("12345"))
        harness.model(.text("678👍🏽rest"))
        #expect(harness.cancelledCalls == [ModelCallID(1)])
        let end = try #require(harness.ends.first)
        #expect(end.status == .done)
        #expect(end.reason == "length")
        #expect(end.answer == "12345678")
        #expect(harness.model(.text("more"), of: ModelCallID(1)).isEmpty)
    }

    @Test func tagsCountForTheLimitToo() throws {
        var harness = try harness()
        harness.model(.text("Look. "))
        for _ in 0..<1_100 where !harness.openCalls.isEmpty {
            harness.model(.text("[[" + String(repeating: "1", count: 58) + "]]"))
        }
        #expect(harness.ends.map(\.reason) == ["length"])
    }

    @Test func withoutAReportTokensAreEstimated() throws {
        var harness = try harness()
        harness.answer("Look at the second line.")
        let usage = try #require(harness.ends.first?.usage)
        #expect(usage.estimated)
        #expect(usage.input == harness.starts.first?.context.promptTokens)
        #expect(usage.output > 3 && usage.output < 12)
    }

    @Test func theLastReportOfACallCountsAndNonsenseDoesNoHarm() throws {
        var harness = try harness()
        harness.model(.usage(ModelUsage(input: 1, cached: 1, output: 1)))
        harness.model(.usage(ModelUsage(input: .max, cached: -5, output: .max)))
        harness.answer("The sign [[4711]] is wrong.")
        harness.model(.usage(ModelUsage(input: .max, cached: 1, output: 1)))
        harness.answer("x")
        #expect(
            harness.ends.first?.usage == TurnEnd.Usage(input: .max, cached: 1, output: .max, estimated: false))
    }

    @Test func theTimesAreCountedFromTheAsk() throws {
        var harness = try harness()
        harness.wait(.milliseconds(180))
        harness.model(.reasoning)
        harness.model(.text("One "))
        harness.wait(.milliseconds(720))
        harness.answer("two")
        #expect(harness.ends.first?.firstTextMilliseconds == 180)
        #expect(harness.ends.first?.durationMilliseconds == 900)
    }

    @Test func onlyTurnsThatWereDoneAreRemembered() throws {
        var harness = try harness(asking: false) { $0.limits.asksPerMinute = 1_000 }
        harness.ask("first?", id: "a")
        harness.answer("One. [[sum: the first line]]")
        harness.ask("second?", id: "b")
        harness.model(.text("Two. [[sum: the other line]]"))
        harness.send(.cancel(.turn(TurnID(2))))
        harness.ask("third?", id: "c")
        #expect(harness.starts.map(\.context.summaries) == [0, 1, 1])
        #expect(harness.ends.map(\.summary) == ["the first line", "the other line"])
        let prompt = harness.request?.messages.map(\.text).joined() ?? ""
        #expect(prompt.contains("the first line"))
        #expect(!prompt.contains("the other line"))
    }

    @Test func thePromptHoldsNoClientIDAndNoBox() throws {
        var harness = try harness(asking: false)
        var screen = try TestScreen.algebra(revision: 2)
        screen.elements[0].id = try TestScreen.id("secret-id-17")
        screen.elements[0].box = try #require(Box(x: 0.123456, y: 0.1, width: 0.2, height: 0.1))
        harness.send(.screenSnapshot(screen))
        harness.ask(id: "q1")
        let prompt = harness.request?.messages.map(\.text).joined() ?? ""
        #expect(prompt.contains("2x + 3 = 7"))
        #expect(!prompt.contains("secret-id-17"))
        #expect(!prompt.contains("123456"))
    }

    @Test func theLessonIsInReadingOrderWithItsAliases() throws {
        var harness = try harness()
        let lesson = try #require(harness.request?.lesson)
        #expect(lesson.elements.map(\.element.id.rawValue) == ["e1", "e2", "e3", "in", "go"])
        #expect(Set(lesson.elements.map(\.alias)).count == 5)
        #expect(Set(lesson.relevant).isSubset(of: Set(lesson.elements.map(\.alias))))
        // An alias stays its element's own in the next turn.
        let before = lesson.elements.map(\.alias)
        harness.answer("ok")
        harness.ask(id: "q2")
        #expect(harness.request?.lesson.elements.map(\.alias) == before)
    }
}
