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
