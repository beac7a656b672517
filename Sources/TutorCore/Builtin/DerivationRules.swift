// DerivationRules: what the built-in tutor says about a derivation.
// Spec: docs/builtin.md (hint levels)

import TutorProtocol

/// The first wrong line of a derivation.
struct FirstWrongLineRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        guard let work = context.works(where: { $0.review.finding != nil }).first, let finding = work.review.finding
        else { return nil }
        let phrases = context.phrases
        let slip = phrases.slip(finding.kind)
        let place = work.derivation.lines[finding.index].element
        let tag = ["line": context.pointer(at: place)]
        var answer = BuiltinAnswer()
        switch context.level {
        case ...0: answer.say(slip.question)
        case 1: answer.say(slip.concept)
        default:
            switch finding.basis {
            case nil: answer.say(phrases.lineIsWrong, tag)
            case finding.index?: answer.say(phrases.stepInLineDoesNotFollow, tag)
            default: answer.say(phrases.lineDoesNotFollow, tag)
            }
            answer.say(slip.name)
        }
        if context.level == 3 {
            let example = WorkedExample(finding, avoiding: finding.rightValues)
            answer.say(phrases.example, ["steps": phrases.steps(example?.steps ?? [])], unless: example == nil)
        }
        if context.level >= 4, let correction = finding.correction {
            answer.say(phrases.correction, ["right": "`\(correction)`"])
        }
        if context.level >= 2, context.lesson.elements[place].element.kind == .input {
            let right = context.level >= 4 ? finding.correction : nil
            answer.act(right == nil ? .tap : .type, on: context.alias(at: place), typing: right)
        }
        answer.summarise(context.level < 2 ? phrases.sumHinted : phrases.sumWrong, ["slip": slip.short])
        return answer
    }
}

/// A number in the answer field that does not solve the equation.
struct WrongAnswerRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let form = context.form
        for work in context.works(where: { $0.review.finding == nil && $0.review.solution.count == 1 }) {
            guard let last = work.derivation.lines.last,
                let field = form.answerField(after: last.element, lines: Set(work.derivation.lines.map(\.element))),
                Self.asksForSolution(form.label(of: field)),
                let value = Self.number(form.elements[field], context.limits),
                let solution = work.review.solution.first, value != solution
            else { continue }
            let written = BuiltinContext.packed(DerivationFinder.written(form.elements[field]))
            if context.isBeingTyped(form.elements[field]), solution.description.hasPrefix(written) { continue }
            let phrases = context.phrases
            var answer = BuiltinAnswer()
            answer.say(
                context.level < 2 ? phrases.tryYourAnswer : phrases.answerDoesNotFit,
                ["field": context.level < 2 ? "" : context.pointer(at: field)])
            if context.level >= 4 {
                answer.say(phrases.solution, ["right": "`\(solution)`"])
                answer.act(.type, on: context.alias(at: field), typing: "\(solution)")
            } else if context.level >= 2 {
                answer.act(.tap, on: context.alias(at: field))
            }
            answer.summarise(phrases.sumWrongAnswer)
            return answer
        }
        return nil
    }

    /// Whether a field is for the unknown: it says so, or says nothing.
    private static func asksForSolution(_ label: String) -> Bool {
        let lowered = label.lowercased().filter { !$0.isWhitespace }
        if lowered.isEmpty { return true }
        return ["answer", "solution", "x=", "y=", "result", "value", "答案", "答", "解", "结果", "得数"].contains {
            lowered.holds($0)
        } || lowered.count == 1
    }

    private static func number(_ field: Element, _ limits: CheckingLimits) -> Rational? {
        let text = DerivationFinder.written(field)
        guard !text.isEmpty, let tokens = try? MathTokenizer(limits: limits).tokens(of: text), !tokens.isEmpty,
            let expression = try? MathParser.parse(tokens[...], limits: limits), expression.isLiteral,
            // A rounded decimal may be meant.
            expression.literalPlaces == 0
        else { return nil }
        return try? expression.value(limits: limits)
    }
}

/// A derivation that is right to its end.
struct SolvedRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        for work in context.works(where: { $0.review.finding == nil }) {
            // A value that merely stands there is no work.
            guard case .solved(let line) = work.review.progress, work.review.verdicts[line] == .right else { continue }
            let form = context.form
            let phrases = context.phrases
            let place = work.derivation.lines[line].element
            var answer = BuiltinAnswer()
            answer.say(phrases.solved, ["line": context.pointer(at: place)])
            let field = form.answerField(after: place, lines: Set(work.derivation.lines.map(\.element)))
            if let field, FormParts.isEmpty(form.elements[field]) {
                answer.say(phrases.writeItHere, ["field": context.pointer(at: field)])
                answer.act(.tap, on: context.alias(at: field))
            } else if let button = form.submitButton(after: field ?? place) {
                answer.say(phrases.handItIn, ["button": context.pointer(at: button)])
                answer.act(.tap, on: context.alias(at: button))
            }
            answer.summarise(phrases.sumSolved)
            return answer
        }
        return nil
    }
}

/// A derivation that is right so far, or an equation that nobody began with.
struct NextStepRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        for work in context.works(where: { $0.review.finding == nil }) {
            guard case .open(let line, let next) = work.review.progress else { continue }
            let phrases = context.phrases
            let step = phrases.step(next)
            let place = work.derivation.lines[line].element
            let isBegun = work.review.verdicts[line] == .right
            var answer = BuiltinAnswer()
            answer.say(isBegun ? phrases.rightSoFar : phrases.begin, ["line": context.pointer(at: place)])
            switch context.level {
            case ...0: answer.say(step.question)
            case 1: answer.say(step.concept)
            default: answer.say(step.name)
            }
            if context.level == 3, let example = WorkedExample(next, avoiding: work.review.solution) {
                answer.say(phrases.example, ["steps": phrases.steps(example.steps)])
            }
            let field = context.form.answerField(after: place, lines: Set(work.derivation.lines.map(\.element)))
            if context.level >= 4, let solution = work.review.solution.first, work.review.solution.count == 1 {
                answer.say(phrases.solution, ["right": "`\(solution)`"])
                if let field { answer.act(.type, on: context.alias(at: field), typing: "\(solution)") }
            } else if let field, FormParts.isEmpty(context.form.elements[field]), !isBegun {
                answer.act(.tap, on: context.alias(at: field))
            }
            answer.summarise(isBegun ? phrases.sumRightSoFar : phrases.sumBegin, ["step": step.short])
            return answer
        }
        return nil
    }
}

/// A derivation that is not provably wrong and not known to be right either.
struct UnsureRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        let phrases = context.phrases
        var answer = BuiltinAnswer()
        for work in context.works(where: { $0.review.finding == nil }) {
            switch work.review.progress {
            case .doubtful(let line):
                let slip = phrases.otherSlip
                switch context.level {
                case ...0: answer.say(slip.question)
                case 1: answer.say(slip.concept)
                default:
                    let place = work.derivation.lines[line].element
                    answer.say(phrases.doubtfulLine, ["line": context.pointer(at: place)])
                }
                answer.summarise(phrases.sumDoubtful)
                return answer
            case .partlySolved(let line) where work.review.verdicts[line] == .right:
                let place = work.derivation.lines[line].element
                answer.say(phrases.oneSolution, ["line": context.pointer(at: place)])
                answer.summarise(phrases.sumOneSolution)
                return answer
            case .checked, .open, .partlySolved, .solved, .unknown: continue
            }
        }
        return nil
    }
}

/// Asked about work in which nothing wrong was found, and of which nothing else can be said.
struct NoMistakeRule: BuiltinRule {
    func answer(in context: BuiltinContext) -> BuiltinAnswer? {
        guard context.question.isAboutWork, context.works.contains(where: { $0.review.progress == .checked }) else {
            return nil
        }
        var answer = BuiltinAnswer()
        answer.say(context.phrases.noMistakeFound)
        answer.summarise(context.phrases.sumNoMistake)
        return answer
    }
}

extension BuiltinAnswer {
    fileprivate mutating func say(_ sentence: String, _ places: [String: String], unless isLeftOut: Bool) {
        if !isLeftOut { say(sentence, places) }
    }
}
