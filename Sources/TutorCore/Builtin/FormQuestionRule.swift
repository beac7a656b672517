// FormQuestionRule: a question about the form goes to the form, also when there is a derivation on the screen.
// Spec: docs/builtin.md (the order of the rules)

/// A question about the form goes to the form, also when there is a derivation on the screen.
///
/// Where the form has nothing to say, the rules go on as for any other question.
struct FormQuestionRule: BuiltinRule {
    private static let rules: [any BuiltinRule] = [ErrorMessageRule(), RequiredFieldRule(), DisabledButtonRule()]

    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        guard context.question.isAboutForm else { return nil }
        for rule in Self.rules {
            if let answer = rule.answer(in: context) { return answer }
        }
        return nil
    }
}
