// FormRulesTests: error messages, required fields and switched-off buttons.

import Testing
import TutorCore
import TutorProtocol

@Suite("Form rules") struct FormRulesTests {
    @Test func pointsAtTheErrorAndTheFieldThatItNames() {
        var builder = LessonBuilder(question: "Why can't I continue?")
        builder.add(.input, "", value: "Ann", label: "Name")
        let email = builder.add(.input, "", value: "ann@", label: "E-mail address")
        builder.add(.input, "", value: "12", label: "Age")
        let error = builder.add(.error, "Please enter a valid address")
        let answer = builder.answer
        #expect(Set(answer.pointed) == [email, error])
        #expect(answer.actions == ["\(email) tap"])
    }

    @Test func prefersTheFieldMarkedInvalidThenTheNearest() {
        var builder = LessonBuilder(question: "help")
        let marked = builder.add(.input, "", value: "x", label: "Code", states: .invalid)
        builder.add(.input, "", value: "y", label: "City")
        builder.add(.error, "Something is wrong")
        #expect(builder.answer.pointed.contains(marked))
        var near = LessonBuilder(question: "help")
        near.add(.input, "", value: "x", label: "Code", states: [])
        let above = near.add(.input, "", value: "y", label: "City")
        near.add(.error, "Something is wrong")
        #expect(near.answer.pointed.contains(above))
    }

    @Test func findsTheNearestTextAsTheFieldsLabel() {
        var builder = LessonBuilder(language: "zh", question: "怎么回事？")
        builder.add(.text, "用户名", y: 0.1)
        builder.add(.input, "", y: 0.16, value: "li")
        builder.add(.text, "手机号码", y: 0.3)
        let phone = builder.add(.input, "", y: 0.36, value: "12")
        builder.add(.error, "手机号码格式不正确", y: 0.7)
        #expect(builder.answer.pointed.contains(phone))
        #expect(builder.answer.text.contains("输入框"))
    }

    @Test func doesNotTakeGoodNewsForAnError() {
        var builder = LessonBuilder(question: "help")
        builder.add(.alert, "Saved successfully")
        #expect(!builder.answer.text.contains("reports"))
        var bad = LessonBuilder(question: "help")
        bad.add(.alert, "Your name was not saved")
        #expect(bad.answer.text.contains("reports"))
    }

    @Test(arguments: [("Name *", ""), ("", "Name (required)"), ("姓名（必填）", ""), ("* Name", "")])
    func findsTheEmptyRequiredField(label: String, placeholder: String) {
        var builder = LessonBuilder(question: "What is missing?")
        builder.add(.input, "", placeholder: "optional", label: "Nickname")
        let field = builder.add(.input, "", placeholder: placeholder, label: label)
        builder.add(.button, "Send")
        #expect(builder.answer.pointed == [field])
        #expect(builder.answer.actions == ["\(field) tap"])
    }

    @Test func saysWhatADisabledButtonWaitsFor() {
        var builder = LessonBuilder(question: "Why is it grey?")
        builder.add(.input, "", value: "Ann", label: "Name")
        let city = builder.add(.input, "", label: "City")
        let button = builder.add(.button, "Next", states: .disabled)
        #expect(builder.answer.pointed == [button, city])
        var box = LessonBuilder(question: "Why is it grey?")
        let terms = box.add(.checkbox, "I agree")
        let off = box.add(.button, "Next", states: .disabled)
        #expect(box.answer.pointed == [off, terms])
    }
}
