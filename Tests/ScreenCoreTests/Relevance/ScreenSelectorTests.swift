// Selection: the budget, and what speaks for an element.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct ScreenSelectorTests {
    private func select(
        _ state: ScreenState, _ query: RelevanceQuery, budget: Int = 250
    ) -> ScreenSelection {
        var aliases = AliasTable()
        return ScreenSelector(budget: budget).select(state, query: query, aliases: &aliases)
    }

    private func first(_ state: ScreenState, _ question: String) -> String? {
        select(state, RelevanceQuery(question: question)).ranked.first?.id.rawValue
    }

    // MARK: - Budget

    @Test func cutsNothingBelowTheBudget() throws {
        let selection = try select(
            screen([element("a"), element("b", .image), element("c", .text, "same"), element("d", .text, "same")]),
            RelevanceQuery(question: "anything"))
        #expect(selection.ranked.allSatisfy(\.isSent) && selection.sent.count == 4 && selection.leftOut.isEmpty)
    }

    @Test(arguments: [0, 1, 20, 60, 250])
    func staysWithinTheBudget(budget: Int) throws {
        let texts = (0..<150).map { "Row number \($0) holds some words" }
        let selection = try select(screen(column(texts)), RelevanceQuery(question: "row 7"), budget: budget)
        let body = selection.rows.split(separator: "\n", maxSplits: 1).dropFirst().joined()
        #expect(selection.tokens <= budget && TokenEstimator().tokens(in: body) <= budget)
        #expect(selection.sent.count == selection.ranked.count { $0.isSent })
        #expect(selection.leftOut.values.reduce(0, +) + selection.sent.count == 150)
        #expect(selection.rows.hasPrefix("screen (sent \(selection.sent.count) of 150"))
    }

    @Test func honoursTheBudgetOnChineseText() throws {
        let texts = (0..<1_900).map { "第\($0)题：求下列方程的解并说明理由" }
        let state = try screen(column(texts), title: "数学作业")
        let selection = select(state, RelevanceQuery(question: "第七题怎么做？"))
        let characters = selection.rows.unicodeScalars.count { $0.value > 0x2E80 }
        #expect(characters <= selection.budget && selection.tokens <= selection.budget && !selection.sent.isEmpty)
    }

    @Test func cutsOneTextThatIsLongerThanTheBudget() throws {
        let state = try screen([element("a", .text, String(repeating: "字", count: 600))])
        let selection = select(state, RelevanceQuery(question: ""), budget: 100)
        #expect(selection.sent.count == 1 && selection.rows.hasSuffix("…") && selection.tokens <= 100)
    }

    @Test func widensTheBudgetForQuestionsThatList() throws {
        let state = try screen(column(["a"]))
        #expect(select(state, RelevanceQuery(question: "Which options are there?")).budget > 250)
        #expect(select(state, RelevanceQuery(question: "有哪些选项？")).budget > 250)
        #expect(select(state, RelevanceQuery(question: "Is this right?")).budget == 250)
    }

    @Test func keepsAliasesFromTurnToTurn() throws {
        let state = try screen(column((0..<80).map { "Entry \($0)" }))
        var aliases = AliasTable()
        let selector = ScreenSelector(budget: 60)
        let one = selector.select(state, query: RelevanceQuery(question: "entry 3"), aliases: &aliases)
        aliases.endTurn(on: state)
        let two = selector.select(state, query: RelevanceQuery(question: "entry 70"), aliases: &aliases)
        for (alias, serial) in one.sent { #expect(two.sent[alias] == nil || two.sent[alias] == serial) }
        #expect(aliases.serial(for: 1) == one.sent[1])
    }

    @Test func isTheSameEveryTime() throws {
        let state = try screen(column((0..<40).map { "Item \($0 % 7)" }))
        let query = RelevanceQuery(question: "Which item?")
        #expect(select(state, query) == select(state, query))
    }

    @Test func takesAnEmptyScreen() {
        let selection = select(ScreenState(), RelevanceQuery(question: "hello"))
        #expect(selection.rows == "screen (sent 0 of 0)" && selection.ranked.isEmpty)
    }

    // MARK: - Signals

    @Test func findsTheWordsOfTheQuestion() throws {
        let state = try screen(column(["Weather today", "Shared documents", "Settings", "Nothing"]))
        #expect(first(state, "Where are the documents that I was sharing?") == "e1")
        let selection = select(state, RelevanceQuery(question: "sharing documents"))
        #expect(Set(selection.ranked[0].reasons) == ["word:sharing", "word:documents"])
    }

    @Test func findsChineseWords() throws {
        let state = try screen(column(["今天的天气很好", "提交答案后不能修改", "设置"]))
        #expect(first(state, "什么时候可以修改答案？") == "e1")
    }

    @Test func findsTheValueBesideItsLabel() throws {
        let state = try screen([
            element("a", .text, "Shipping", at: box(0.1, 0.1, 0.2, 0.03)),
            element("b", .text, "$4.00", at: box(0.7, 0.1, 0.2, 0.03)),
            element("c", .text, "Subtotal", at: box(0.1, 0.2, 0.2, 0.03)),
            element("d", .text, "$31.50", at: box(0.7, 0.2, 0.2, 0.03)),
            element("e", .text, "Thanks for your order", at: box(0.1, 0.3, 0.5, 0.03)),
        ])
        let ranked = select(state, RelevanceQuery(question: "What is the price of shipping?")).ranked
        #expect(ranked[0].id == id("b"))
        #expect(ranked[0].reasons.contains("shape:price") && ranked[0].reasons.contains("label-of"))
    }

    @Test(arguments: [
        ("Where can I search?", "magnifier"), ("Where is the menu button?", "lines"), ("怎么返回？", "arrow"),
        ("How do I close this?", "cross"),
    ])
    func findsIconsByTheirLook(question: String, name: String) throws {
        let state = try screen([
            element("lines", .image, "three bars", at: box(0.02, 0.05, 0.08, 0.04)),
            element("arrow", .image, "arrow backward", at: box(0.3, 0.4, 0.08, 0.04)),
            element("magnifier", .image, "a magnifying glass on a white surface", at: box(0.6, 0.05, 0.08, 0.04)),
            element("cross", .image, "x", at: box(0.88, 0.05, 0.08, 0.04)),
            element("text", .text, "Welcome to the app", at: box(0.1, 0.5, 0.5, 0.04)),
        ])
        #expect(first(state, question) == name)
    }

    @Test func anErrorBringsItsField() throws {
        var elements = column((0..<12).map { "Line \($0)" })
        elements[6].kind = .input
        elements[7].kind = .error
        let ranked = try select(screen(elements), RelevanceQuery(question: "Why is this wrong?")).ranked
        #expect(ranked[0].id == id("e7") && ranked[0].reasons == ["error"])
        #expect(ranked[1...2].contains { $0.id == id("e6") && $0.reasons.contains("near-error") })
    }

    @Test func attentionAndChangesCount() throws {
        let state = try screen(column((0..<20).map { "Line \($0)" }), focus: .element(id("e9")))
        #expect(select(state, RelevanceQuery(question: "")).ranked[0].id == id("e9"))
        let elsewhere = Focus.point(point(0.1, 0.05 + 15 * 0.035 + 0.01))
        #expect(select(state, RelevanceQuery(question: "", focus: elsewhere)).ranked[0].id == id("e15"))
        let plain = try screen(column((0..<20).map { "Line \($0)" }))
        let changed = try #require(plain.element(id("e12"))).serial
        let ranked = select(plain, RelevanceQuery(question: "", changed: [changed])).ranked
        #expect(ranked[0].id == id("e12") && ranked[0].reasons == ["changed"])
        let touched = select(plain, RelevanceQuery(question: "", lastTouched: changed)).ranked
        #expect(touched[0].id == id("e12") && touched[0].reasons == ["touched"])
    }

    @Test func theSystemsBarsComeLast() throws {
        let state = try screen([
            element("clock", .text, "10:45", at: box(0.8, 0.005, 0.1, 0.02)),
            element("home", .image, "a white circle", at: box(0.45, 0.95, 0.07, 0.04)),
            element("text", .text, "Lesson", at: box(0.1, 0.3, 0.2, 0.04)),
        ])
        #expect(first(state, "Tell me more about it") == "text")
    }

    // MARK: - Size

    /// Time is not measured here; the count of steps must not grow with the square, or this would not end.
    @Test func takesOneWideRowOfManyElements() throws {
        var limits = Limits()
        limits.elements = 8_000
        var state = ScreenState()
        let row = (0..<8_000).map {
            element("e\($0)", .text, "cell \($0 % 9)", at: box(Double($0) / 8_000, 0.5, 0.0001, 0.02))
        }
        try state.take(ScreenSnapshot(revision: 1, elements: row), limits: limits)
        #expect(!select(state, RelevanceQuery(question: "Which cells have 7?")).sent.isEmpty)
    }
}
