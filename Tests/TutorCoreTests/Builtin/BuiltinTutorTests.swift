// BuiltinTutorTests: what the built-in tutor says about derivations, at each hint level and in each language.

import Testing
import TutorCore
import TutorProtocol

@Suite("BuiltinTutor") struct BuiltinTutorTests {
    static let wrong = ["3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"]
    static let corrected = ["3(x - 2) = 12", "3x - 6 = 12", "3x = 18", "x = 6"]

    @Test func pointsAtTheFirstWrongLineOnly() {
        let answer = LessonBuilder(Self.wrong).answer
        #expect(answer.pointed == [13])
        #expect(answer.text.contains("sign"))
        #expect(answer.summary?.isEmpty == false)
    }

    @Test(arguments: 0...4) func writesTagsThatTheAnswerParserReads(level: Int) {
        for lines in Self.exercises {
            for language in ["en", "zh"] {
                var builder = LessonBuilder(lines, level: level, language: language)
                builder.add(.input, "", placeholder: "Answer")
                let expected = builder.answer
                var parser = AnswerParser()
                let pieces = parser.receive(expected.raw) + parser.finish()
                var (points, actions, text) = ([Int](), 0, "")
                for piece in pieces {
                    switch piece {
                    case .point(let alias): points.append(alias)
                    case .action: actions += 1
                    case .text(let part): text += part
                    case .summary(let line): #expect(line == expected.summary)
                    }
                }
                #expect(points == expected.pointed)
                #expect(actions == expected.actions.count)
                #expect(!text.contains("[["), "\(text)")
            }
        }
    }

    @Test func raisesNoAlarmOnceTheLinesAreCorrected() {
        let answer = LessonBuilder(Self.corrected).answer
        #expect(answer.pointed == [14])
        #expect(answer.text.contains("right"))
        #expect(!answer.text.contains("does not follow"))
    }

    @Test(arguments: 0...4) func followsTheHintLevel(level: Int) {
        let answer = LessonBuilder(Self.wrong, level: level).answer
        #expect(answer.pointed == (level < 2 ? [] : [13]))
        #expect(answer.text.contains("?") == (level == 0))
        #expect(answer.text.contains("sign slip") == (level >= 2))
        #expect(answer.text.contains("similar exercise") == (level == 3))
        #expect(answer.text.contains("3x = 18") == (level == 4))
    }

    static let exercises: [[String]] = [
        wrong, ["2x + 3 = 7", "2x = 10"], ["4x = 8", "x = 3"], ["2(x + 1) = 10", "2x + 1 = 10"], ["7 × 8 = 54"],
        ["2x + 4 = 10", "x + 4 = 5"], ["x² = 9", "x = 3 or x = -4"], ["(x + 3)^2", "= x^2 + 9"], ["3 + 4 × 2", "= 14"],
        ["5x - 2 = 3x + 8"], ["3x = 18"], ["x + 5 = 9", "x = 9 - 5"], ["3x - 6 = 12", "3x = 18"],
    ]

    @Test(arguments: exercises, 0...3)
    func neverShowsTheRightValueBelowTheHighestLevel(lines: [String], level: Int) {
        let review = DerivationChecker().review(lines)
        var secrets = Set(review.solution.map(\.description))
        if let finding = review.finding {
            // The numbers that the student's own lines already show are no secret.
            secrets.formUnion(finding.rightValues.map { $0.magnitude.description })
        }
        secrets.subtract(lines.flatMap { $0.split { !("0"..."9").contains($0) }.map(String.init) })
        secrets.remove("1")
        var builder = LessonBuilder(lines, level: level)
        builder.add(.input, "", placeholder: "Answer")
        let answer = builder.answer
        if level < 3 { #expect(answer.numbers.isEmpty, "\(answer.raw)") }
        #expect(answer.numbers.isDisjoint(with: secrets), "\(answer.raw)")
        #expect(!answer.actions.contains { $0.contains("type") })
        for language in ["en", "zh-CN"] {
            builder.language = language
            #expect(builder.answer.numbers.isDisjoint(with: secrets))
        }
    }

    @Test(arguments: exercises) func worksItsExamplesOutRight(lines: [String]) {
        let answer = LessonBuilder(lines, level: 3).answer
        let steps = answer.raw.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
            String($0.element)
        }
        #expect(DerivationChecker().check(steps) == nil, "\(answer.raw)")
        if steps.count > 2 {
            let verdicts = DerivationChecker().review(steps).verdicts
            #expect(verdicts.dropFirst().allSatisfy { $0 == .right }, "\(steps) \(verdicts)")
        }
    }

    @Test func answersInTheLessonsLanguageAndElseInEnglish() {
        let chinese = LessonBuilder(Self.wrong, language: "zh-Hans-CN").answer
        #expect(chinese.text.contains("符号"))
        #expect(chinese.pointed == [13])
        let french = LessonBuilder(Self.wrong, language: "fr").answer
        #expect(french.text == LessonBuilder(Self.wrong, language: "en").answer.text)
    }

    @Test func endsEveryAnswerWithOneSummaryLine() {
        for language in ["en", "zh"] {
            for level in 0...4 {
                for lines in Self.exercises + [[]] {
                    let raw = LessonBuilder(lines, level: level, language: language).answer.raw
                    let last = raw.split(separator: "\n").last ?? ""
                    #expect(last.hasPrefix("[[sum: ") && last.hasSuffix("]]"))
                    #expect(raw.split(separator: "[[sum:", omittingEmptySubsequences: false).count == 2)
                }
            }
        }
    }

    static let unsure = ["x/2 - (x - 1)/3 = 1", "3x - 2x - 1 = 6", "x = 7"]

    @Test(arguments: 0...4) func neitherBlamesNorPraisesALineThatItCannotJudge(level: Int) {
        var builder = LessonBuilder(Self.unsure, level: level)
        builder.add(.input, "", value: "4", placeholder: "Answer")
        builder.add(.button, "Submit")
        for language in ["en", "zh"] {
            builder.language = language
            let answer = builder.answer
            #expect(answer.pointed == (level < 2 ? [] : [12]))
            #expect(!answer.text.contains("right") && !answer.text.contains("does not"), "\(answer.text)")
            #expect(!answer.text.contains("都对") && !answer.text.contains("不能由"), "\(answer.text)")
            #expect(answer.actions.isEmpty)
        }
    }

    @Test func asksWhetherOneOfSeveralSolutionsIsTheOnlyOne() {
        let answer = LessonBuilder(["x² = 9", "x = 3"]).answer
        #expect(answer.pointed == [12])
        #expect(answer.text.contains("only one?"))
    }

    @Test(arguments: ["Is this right?", "对吗？"]) func saysThatItFoundNoMistakeInARightCalculation(question: String) {
        for language in ["en", "zh"] {
            let lines = ["2(3 + 4)^2", "= 2 · 49", "= 98"]
            let answer = LessonBuilder(lines, language: language, question: question).answer
            #expect(answer.text.contains(language == "en" ? "no mistake" : "没有发现错误"))
        }
    }

    @Test func praisesADerivationThatStandsOnOneLine() {
        #expect(LessonBuilder(["3x - 2 = 7 ⟹ 3x = 9 ⟹ x = 3"]).answer.text.contains("right"))
        #expect(!LessonBuilder(["x = 5"]).answer.text.contains("right"))
    }

    @Test func speaksOfNoLineAboveWhereTheSlipIsWithinOneLine() {
        let answer = LessonBuilder(["x + 1 = 3 → x = 4"]).answer
        #expect(answer.pointed == [11])
        #expect(answer.text.hasPrefix("A step on this line"))
    }

    @Test func quotesAMessageWithoutItsStop() {
        var builder = LessonBuilder(question: "What is wrong?")
        builder.add(.error, "Please enter a number.")
        #expect(builder.answer.text.contains("“Please enter a number”."))
    }

    @Test func saysWhatIsNextWhenItIsRightSoFar() {
        let answer = LessonBuilder(["3(x - 2) = 12", "3x - 6 = 12"], question: "what next?").answer
        #expect(answer.pointed == [12])
        #expect(answer.text.contains("right so far"))
        #expect(answer.text.contains("unknown to one side"))
    }

    @Test func beginsALoneEquationAndPointsToItsField() {
        var builder = LessonBuilder(["2x + 3 = 7"], question: "How do I start?")
        let field = builder.add(.input, "", placeholder: "Answer")
        builder.add(.button, "Submit")
        let answer = builder.answer
        #expect(answer.pointed == [11])
        #expect(answer.actions == ["\(field) tap"])
    }

    @Test func typesAnAnswerOnlyAtTheHighestLevel() {
        var builder = LessonBuilder(["2x + 3 = 7"], level: 4)
        let field = builder.add(.input, "", placeholder: "Answer")
        #expect(builder.answer.actions == ["\(field) type:2"])
    }

    @Test func sendsASolvedDerivationOnToTheFieldAndThenToTheButton() {
        var builder = LessonBuilder(Self.corrected)
        let field = builder.add(.input, "", placeholder: "Answer")
        let button = builder.add(.button, "Submit")
        #expect(builder.answer.actions == ["\(field) tap"])
        var filled = LessonBuilder(Self.corrected)
        filled.add(.input, "", value: "6", placeholder: "Answer")
        filled.add(.button, "Submit")
        #expect(filled.answer.actions == ["\(button) tap"])
        #expect(filled.answer.pointed == [14, button])
    }

    @Test func refusesAWrongValueInTheAnswerField() {
        var builder = LessonBuilder(["2x + 3 = 7"])
        let field = builder.add(.input, "", value: "5", placeholder: "Answer")
        #expect(builder.answer.pointed == [field])
        #expect(!builder.answer.numbers.contains("2"))
        // While it is typed, 1 may become 18.
        var typing = LessonBuilder(["3x = 54"])
        typing.add(.input, "", value: "1", placeholder: "Answer", states: .focused)
        #expect(!typing.answer.text.contains("does not make"))
    }

    @Test func takesTheInputsContentAsTheLastLine() {
        var builder = LessonBuilder(["3(x - 2) = 12", "3x - 6 = 12"])
        let input = builder.add(.input, "", value: "3x = 6")
        #expect(builder.answer.pointed == [input])
        #expect(builder.answer.actions == ["\(input) tap"])
        builder.level = 4
        #expect(builder.answer.actions == ["\(input) type:3x = 18"])
    }

    @Test func waitsForALineThatIsStillBeingTyped() {
        for text in ["x =", "x = 1", "3x"] {
            var builder = LessonBuilder(["3x = 54"])
            builder.add(.input, "", value: text, states: .focused)
            #expect(!builder.answer.text.contains("does not follow"), "\(text)")
        }
        var builder = LessonBuilder(["3x = 54"])
        let input = builder.add(.input, "", value: "x = 7", states: .focused)
        #expect(builder.answer.pointed == [input])
    }

    @Test func prefersTheDerivationNearTheFocus() {
        var builder = LessonBuilder()
        builder.add(.math, "2x + 3 = 7", y: 0.1)
        builder.add(.math, "2x = 10", y: 0.17)
        builder.add(.math, "5x = 20", y: 0.7)
        let lower = builder.add(.math, "x = 5", y: 0.77)
        builder.focus = Point(x: 0.2, y: 0.8).map(Focus.point)
        #expect(builder.answer.pointed == [lower])
        builder.focus = nil
        #expect(builder.answer.pointed == [12])
    }

    @Test func neutralisesTagsAndMarkupOfTheScreen() {
        var builder = LessonBuilder()
        builder.relevant = [builder.add(.error, "[[9]] bad `code` $5 **now**\nline")]
        let answer = builder.answer
        #expect(answer.pointed == [11])
        #expect(!answer.text.contains("`") && !answer.text.contains("$") && !answer.text.contains("*"))
    }

    @Test func saysSoWhenNothingFits() {
        let answer = LessonBuilder([], question: "Who painted this?").answer
        #expect(answer.pointed.isEmpty && answer.actions.isEmpty)
        #expect(answer.text.contains("language model"))
    }
}
