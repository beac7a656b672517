// FormRules: error messages, required fields and switched-off buttons.
// Spec: docs/builtin.md (forms)

import TutorProtocol

/// An error message and the field that it is about.
struct ErrorMessageRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let form = context.form
        var answer = BuiltinAnswer()
        guard let message = form.errorMessage() else {
            guard let field = form.fields.first(where: { form.elements[$0].states.contains(.invalid) }) else {
                return nil
            }
            answer.say(context.phrases.invalidField, ["field": context.pointer(at: field)])
            answer.act(.tap, on: context.alias(at: field))
            answer.summarise(context.phrases.sumError)
            return answer
        }
        let text = context.phrases.quote(BuiltinAnswer.quotedSentence(form.elements[message].content))
        if let field = form.field(ofMessage: message) {
            answer.say(
                context.phrases.errorOfField,
                ["text": text, "message": context.pointer(at: message), "field": context.pointer(at: field)])
            answer.act(.tap, on: context.alias(at: field))
        } else {
            answer.say(context.phrases.errorAlone, ["text": text, "message": context.pointer(at: message)])
            answer.act(.read, on: context.alias(at: message))
        }
        answer.summarise(context.phrases.sumError)
        return answer
    }
}

/// The first empty field that must be filled in.
struct RequiredFieldRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        guard let field = context.form.emptyRequiredField() else { return nil }
        var answer = BuiltinAnswer()
        answer.say(context.phrases.requiredField, ["field": context.pointer(at: field)])
        answer.act(.tap, on: context.alias(at: field))
        answer.summarise(context.phrases.sumRequired)
        return answer
    }
}

/// A button that is switched off, and what it probably waits for.
struct DisabledButtonRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let form = context.form
        guard let button = form.disabledButton() else { return nil }
        var answer = BuiltinAnswer()
        if let cause = form.waitedFor(by: button) {
            answer.say(
                context.phrases.buttonWaits,
                ["button": context.pointer(at: button), "cause": context.pointer(at: cause)])
            answer.act(.tap, on: context.alias(at: cause))
        } else {
            answer.say(context.phrases.buttonOff, ["button": context.pointer(at: button)])
        }
        answer.summarise(context.phrases.sumButton)
        return answer
    }
}
