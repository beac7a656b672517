// BuiltinTutor: answers from rules, without a language model.
// Spec: docs/builtin.md

/// Answers from rules, without a language model and without a network: it checks mathematics and forms, and says
/// plainly where a model would be needed.
public struct BuiltinTutor: Sendable {
    /// The rules in the order in which they are asked; the first that has an answer gives it.
    public static let defaultRules: [any BuiltinRule] = [
        WhereRule(),
        FactRule(),
        FormQuestionRule(),
        FirstWrongLineRule(),
        WrongAnswerRule(),
        UnsureRule(),
        SolvedRule(),
        NextStepRule(),
        ErrorMessageRule(),
        RequiredFieldRule(),
        DisabledButtonRule(),
        NoMistakeRule(),
        RelevantElementsRule(),
    ]

    private let rules: [any BuiltinRule]
    private let limits: CheckingLimits

    /// Makes a tutor.
    public init(rules: [any BuiltinRule] = BuiltinTutor.defaultRules, limits: CheckingLimits = CheckingLimits()) {
        self.rules = rules
        self.limits = limits
    }

    /// The answer with inline tags and a last line `[[sum: …]]`, in the lesson's language and at its hint level.
    public func answer(to lesson: Lesson) -> String {
        let context = BuiltinContext(lesson, limits: limits)
        for rule in rules {
            if let answer = rule.answer(in: context) { return answer.text }
        }
        var answer = BuiltinAnswer()
        answer.say(context.phrases.nothingFits)
        answer.summarise(context.phrases.sumNothing)
        return answer.text
    }
}

/// One thing that the built-in tutor can do.
///
/// A new rule is one type with one function, and one line in ``BuiltinTutor/defaultRules``.
public protocol BuiltinRule: Sendable {
    /// The answer, or nil when the rule has nothing to say.
    func answer(in context: BuiltinContext) -> BuiltinAnswer?
}
