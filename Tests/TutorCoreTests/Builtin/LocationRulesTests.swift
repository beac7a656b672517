// LocationRulesTests: where something is, and plain facts of the screen.

import Testing
import TutorCore
import TutorProtocol

@Suite("Location rules") struct LocationRulesTests {
    private func screen(_ question: String, language: String = "en") -> LessonBuilder {
        var builder = LessonBuilder(BuiltinTutorTests.wrong, language: language, question: question)
        builder.add(.button, "Submit 提交")
        builder.add(.text, "Due date: Friday 截止日期：周五")
        return builder
    }

    @Test(arguments: ["Where is the submit button?", "where can I find Submit", "How do I submit?"])
    func answersWhereBeforeTalkingOfDerivations(question: String) {
        var builder = screen(question)
        builder.relevant = [15, 16]
        #expect(builder.answer.pointed == [15])
        #expect(builder.answer.actions == ["15 tap"])
    }

    @Test(arguments: ["提交按钮在哪？", "怎么提交？"]) func answersWhereInChinese(question: String) {
        var builder = screen(question, language: "zh")
        builder.relevant = [15, 16]
        #expect(builder.answer.pointed == [15])
        #expect(builder.answer.text.contains("这里"))
    }

    @Test(arguments: ["Where is my mistake?", "How do I solve this?", "这题怎么做？", "我哪里错了？"])
    func talksOfTheDerivationWhenTheQuestionIsAboutTheWork(question: String) {
        #expect(screen(question).answer.pointed == [13])
    }

    @Test(arguments: ["Where is the error?", "Where did I go wrong?", "错在哪里？", "这一步哪里错了？"])
    func doesNotTakeAPlaceInTheWorkForAPlaceOnTheScreen(question: String) {
        var builder = screen(question)
        let text = builder.add(.text, "Correct the step with the error. 改正错误的一步。")
        builder.relevant = [text]
        #expect(builder.answer.pointed == [13])
    }

    @Test(arguments: ["Where do I start?", "从哪里开始？"]) func tellsHowToBeginWhenAskedWhereToStart(question: String) {
        let answer = LessonBuilder(["2x + 3 = 7"], question: question).answer
        #expect(answer.pointed == [11])
        #expect(answer.text.contains("Begin"))
    }

    @Test func looksForACollectionOfMistakesOnTheScreen() {
        var builder = screen("错题本在哪里？", language: "zh")
        let link = builder.add(.link, "错题本")
        builder.relevant = [link]
        #expect(builder.answer.pointed == [link])
    }

    @Test func asksTheFormWhatASwitchedOffButtonWaitsFor() {
        var builder = LessonBuilder(question: "How do I create an account?")
        let field = builder.add(.input, "", placeholder: "Name (required)")
        builder.relevant = [builder.add(.button, "Create account", states: .disabled)]
        #expect(builder.answer.pointed.first == field)
    }

    @Test func saysSoWhenAPlaceIsNotOnTheScreen() {
        let answer = screen("Where is the trash?").answer
        #expect(answer.pointed.isEmpty)
        #expect(answer.text.contains("cannot find"))
    }

    @Test func leavesAPlainFactToTheElementsThatFit() {
        var builder = screen("When is the due date?")
        builder.relevant = [16]
        #expect(builder.answer.pointed == [16])
        #expect(builder.answer.text.contains("language model"))
    }
}
