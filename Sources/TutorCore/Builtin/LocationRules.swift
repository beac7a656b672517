// LocationRules: where something is, and what the screen says about it.
// Spec: docs/builtin.md (the order of the rules)

import TutorProtocol

/// "Where is …": points at what fits, before anything else is said.
struct WhereRule: BuiltinRule {
    /// Most elements that it points at.
    static let maximumTargets = 2

    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let question = context.question
        guard question.asksWhere || (question.asksHow && !context.lesson.relevant.isEmpty) else { return nil }
        var ranked = context.lesson.relevant.compactMap { alias in
            context.element(alias: alias).map { (alias: alias, element: $0, overlap: question.overlap(with: $0)) }
        }
        if !question.asksWhere {
            // "How do I solve this" is about the work; only a control that is named makes it a question of place.
            // What is switched off has a reason, which the form may show.
            ranked = ranked.filter {
                Self.isControl($0.element.kind) && $0.overlap > 0 && !$0.element.states.contains(.disabled)
            }
        } else if let best = ranked.map(\.overlap).max(), best > 0 {
            ranked = ranked.filter { $0.overlap == best }
        }
        let targets = ranked.prefix(Self.maximumTargets)
        var answer = BuiltinAnswer()
        guard let first = targets.first else {
            guard question.asksWhere, !question.isAboutWork else { return nil }
            answer.say(context.phrases.notOnScreen)
            answer.summarise(context.phrases.notOnScreen)
            return answer
        }
        let tags = targets.map { BuiltinAnswer.pointer(to: $0.alias) }.joined()
        answer.say(targets.count == 1 ? context.phrases.itIsHere : context.phrases.theyAreHere, ["here": tags])
        if targets.count == 1, Self.isControl(first.element.kind), !first.element.states.contains(.disabled) {
            answer.act(.tap, on: first.alias)
        }
        answer.summarise(context.phrases.sumWhere)
        return answer
    }

    private static func isControl(_ kind: ElementKind) -> Bool {
        switch kind {
        case .button, .checkbox, .input, .link, .radio, .select, .switch, .tab: true
        case .alert, .code, .dialog, .error, .heading, .image, .math, .other, .text: false
        }
    }
}

/// A question for a fact that stands on the screen: not a matter for the checker.
struct FactRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        guard context.question.asksFact else { return nil }
        let lines = Set(context.works.flatMap(\.derivation.lines).map { context.alias(at: $0.element) })
        let best = context.lesson.relevant.prefix(RelevantElementsRule.maximumTargets).filter {
            context.element(alias: $0) != nil && !lines.contains($0)
        }
        // One of them must share a word with the question; the value beside its label usually shares none.
        let isNamed = best.contains { alias in
            context.element(alias: alias).map { context.question.overlap(with: $0) > 0 } ?? false
        }
        return isNamed ? RelevantElementsRule.answer(pointingAt: Array(best), in: context) : nil
    }
}

/// Nothing else applied: names what fits the question, and says that a model would be needed.
struct RelevantElementsRule: BuiltinRule {
    /// Most elements that it points at.
    static let maximumTargets = 3

    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let targets = context.lesson.relevant.prefix(Self.maximumTargets).filter { context.element(alias: $0) != nil }
        return targets.isEmpty ? nil : Self.answer(pointingAt: Array(targets), in: context)
    }

    static func answer(pointingAt aliases: [Int], in context: BuiltinContext) -> BuiltinAnswer {
        var answer = BuiltinAnswer()
        let parts = aliases.map { alias in
            let element = context.element(alias: alias)
            let name = BuiltinAnswer.quoted(element.map(FormParts.name) ?? "")
            let tag = BuiltinAnswer.pointer(to: alias)
            return name.isEmpty ? tag : context.phrases.quote(name) + tag
        }
        answer.say(context.phrases.theseFit, ["parts": parts.joined(separator: context.phrases.comma)])
        answer.say(context.phrases.needsModel)
        answer.summarise(context.phrases.sumRelevant)
        return answer
    }
}
