// FormQuestionRuleTests: which questions go to the form when there is a derivation too.

import Testing
import TutorCore
import TutorProtocol

@Suite("Form question rule") struct FormQuestionRuleTests {
    private static let wrong = ["3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"]

    @Test(arguments: [("zh", "为什么提交不了？"), ("en", "Why can't I submit the form?"), ("en", "Which field is required?")])
    func questionAboutTheFormPointsAtTheFormAndNotAtTheWrongLine(language: String, question: String) {
        var builder = LessonBuilder(Self.wrong, language: language, question: question)
        let field = builder.add(.input, "", label: "姓名 *", states: .invalid)
        let error = builder.add(.error, "请填写姓名")
        builder.add(.button, "提交")
        let pointed = Set(builder.answer.pointed)
        #expect(!pointed.isDisjoint(with: [field, error]))
        #expect(pointed.isSubset(of: [field, error]))
    }

    @Test func questionAboutTheWorkStillPointsAtTheWrongLine() {
        var builder = LessonBuilder(Self.wrong, question: "Why is this wrong?")
        let error = builder.add(.error, "Please enter your name")
        let answer = builder.answer
        #expect(answer.pointed == [13])
        #expect(!answer.pointed.contains(error))
    }

    @Test func questionAboutSubmittingFindsTheWrongLineWhenTheFormIsInOrder() {
        var builder = LessonBuilder(Self.wrong, question: "Why can't I submit this?")
        builder.add(.button, "Submit")
        #expect(builder.answer.pointed == [13])
    }
}
