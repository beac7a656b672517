// DerivationCheckerTests: the first wrong line, and silence where nothing is provably wrong.

import Testing
import TutorCore

@Suite("DerivationChecker") struct DerivationCheckerTests {
    struct Case: CustomTestStringConvertible {
        var lines: [String]
        var index: Int?
        var kind: SlipKind?

        init(_ text: String, _ index: Int? = nil, _ kind: SlipKind? = nil) {
            lines = text.split(separator: "|").map { $0.trimmingSpaces }
            self.index = index
            self.kind = kind
        }

        var testDescription: String { lines.joined(separator: " / ") }
    }

    static let wrong = [
        Case("3(x - 2) = 12 | 3x - 6 = 12 | 3x = 6 | x = 2", 2, .sign),
        Case("3(x - 2) = 12 | 3x - 2 = 12 | 3x = 14 | x = 14/3", 1, .distribution),
        Case("3(x-2)=12 | 3x+6=12", 1, .sign),
        Case("2x + 3 = 7 | 2x = 10", 1, .sign),
        Case("2x + 3 = 7 | 2x = 7", 1, .droppedTerm),
        Case("2x + 3 = 7 | 2x = 5", 1, .arithmetic),
        Case("4x = 8 | x = 8", 1, .divisionOfOneSide),
        Case("4x = 8 | x = 4", 1, .wrongOperation),
        Case("4x = 8 | x = 32", 1, .wrongOperation),
        Case("4x = 8 | x = 3", 1, .arithmetic),
        Case("x/3 = 4 | x = 4/3", 1, .wrongOperation),
        Case("x/2 + 3 = 7 | x + 3 = 14", 1, .divisionOfOneSide),
        Case("2x + 4 = 10 | x + 4 = 5", 1, .divisionOfOneSide),
        Case("(6x + 3)/3 = 5 | 2x + 3 = 5", 1, .distribution),
        Case("5x - 2 = 3x + 8 | 5x + 3x = 8 + 2 | 8x = 10", 1, .sign),
        Case("5 - (x - 3) = 4 | 5 - x - 3 = 4", 1, .sign),
        Case("5 - 2(x - 3) = 1 | 5 - 2x - 6 = 1", 1, .sign),
        Case("3x + 5 = 20 | 8x = 20", 1, .other),
        Case("½x = 6 | x = 3", 1, nil),
        Case("\\frac{x}{2} = 5 | x = 5/2", 1, .wrongOperation),
        Case("解：3（x－2）＝12 | 3x－6＝12 | 3x＝12－6 | x＝2", 2, .sign),
        Case("2(x + 1) = 10 | 所以 2x + 1 = 10", 1, .distribution),
        Case("去括号，得 2x + 6 = 10 | 移项，得 2x = 16", 1, .sign),
        Case("Step 1: 2y + 6 = 10 | Step 2: subtract 6: 2y = 16", 1, .sign),
        Case("$2x + 6 = 10$ | $\\Rightarrow 2x = 16$", 1, .sign),
        Case("x = 12/4 = 4", 0, .arithmetic),
        Case("x = 18/3 | x = 5", 1, .arithmetic),
        Case("3 × (4 + 5) = 3 × 4 + 5 = 17", 0, .distribution),
        Case("2 + 3 × 4 = 20", 0, .wrongOperation),
        Case("8 - (3 - 1) = 8 - 3 - 1", 0, .sign),
        Case("7 × 8 = 54", 0, .arithmetic),
        Case("3 + 4 × 2 | = 7 × 2 | = 14", 1, .wrongOperation),
        Case("(x + 3)(x - 2) | = x² - 2x + 3x - 6 | = x² + 5x - 6", 2, .sign),
        Case("(x + 3)^2 | = x^2 + 9", 1, .distribution),
        Case("x² = 9 | x = 3 or x = -4", 1, .other),
        Case("x^2 - 5x + 6 = 0 | (x - 2)(x + 3) = 0", 1, .sign),
        Case("So she had 5 x 3 = 16 apples.", 0, .arithmetic),
        Case("12/x = 3 | x = 5", 1, nil),
        Case("x^2 + x + 1 = 0 | x = 1", 1, nil),
        Case("1/2 + 1/3 = 2/5", 0, nil),
        Case("2x + 3 = 7 | as a remark | 2x = 4 | x = 3", 3, nil),
        Case("3x + 2y = 12 | 2y = 12 - 3x | y = 6 - 3x", 2, .divisionOfOneSide),
    ]

    static let right = [
        Case("3(x - 2) = 12 | 3x - 6 = 12 | 3x = 18 | x = 6"),
        Case("3(x - 2) = 12 | x - 2 = 4 | x = 6"),
        Case("2x + 3 = 7 | 2x + 3 - 3 = 7 - 3 | 2x = 4 | x = 4/2 = 2"),
        Case("5x - 2 = 3x + 8 | 2x = 10 | 5 = x"),
        Case("x/2 + 3 = 7 | x + 6 = 14 | x = 8"),
        Case("3x = 10 | x = 3.33"),
        Case("3x = 10 | x = 3 1/3"),
        Case("7x = 2 | x = 0.2857"),
        Case("x² = 9 | x = 3 or x = -3"),
        Case("x² = 9 | x = 3 | x = -3"),
        Case("x² - 5x + 6 = 0 | (x - 2)(x - 3) = 0 | x = 2, x = 3"),
        Case("x^2 = 2 | x = 1.41"),
        Case("(x + 3)(x - 2) | = x² - 2x + 3x - 6 | = x² + x - 6"),
        Case("3 + 4 × 2 | = 3 + 8 | = 11"),
        Case("2x + 1 = 2x + 3 | 1 = 3"),
        Case("解：3（x－2）＝12 | 去括号，得 3x－6＝12 | 移项，得 3x＝12＋6 | 合并同类项，得 3x＝18 | 系数化为1，得 x＝6"),
        Case("12/x = 3 | 12 = 3x | x = 4"),
        Case("x + y = 10 | x - y = 2 | 2x = 12 | x = 6 | 6 + y = 10 | y = 4"),
        Case("0.5x + 1.25 = 2 | 0.5x = 0.75 | x = 1.5"),
        Case("20% × 50 = 10"),
        Case("1,200 + 300 = 1,500"),
        Case("17 ÷ 5 = 3……2"),
    ]

    /// Nothing here is provably a slip.
    static let silent = [
        Case("x + 3 = 7 | x - 3 = 7 | x + 5 = 9"),
        Case("1. 2x + 4 = 10 | 2. 5x = 35 | 3. x/2 = 9"),
        Case("2x + 3 = 7 | x = 2 | 3x - 1 = 8 | x = 3"),
        Case("x = 3 | x = 5 | x = 7"),
        Case("2x + 3 = 7 | x = 1 | x = 2 | x = 3"),
        Case("a = 3 | b = 4 | c = 5"),
        Case("x = 5 | x = x + 1"),
        Case("f(x) = 2x + 3 | f(2) = 7"),
        Case("y = 2x + 1 | y = 3x - 4"),
        Case("sin x = 1 | x = 90°"),
        Case("100 cm = 1 m | 60 minutes = 1 hour"),
        Case("60 minutes / 60 = 1 hour"),
        Case("30% of 200 = 60"),
        Case("half of 10 + 4 = 9"),
        Case("Let x = 5 | 2x = 12"),
        Case("if x = 3, then 2x = 7"),
        Case("1/2x = 4 | x = 2"),
        Case("2x + 3 = 7 | x ="),
        Case("2x + 3 = 7 | x = ?"),
        Case("2x + 3 = 7 | 2x = 4 and so on"),
        Case("The order 12/25 costs 3:30 = half"),
        Case("设 x = 5 | 2x = 12"),
        Case("价格 = 数量 × 单价"),
        Case("E = mc²"),
        Case("x2 + 3 = 7 | x = 2"),
        Case("3 + 4 = 7 + 5 = 12"),
        Case("x = 1,5 | x = 1.5"),
        Case("10/3 = 3.33"),
        Case("99999999999 × 99999999999 = 1"),
        Case("50 cents x 3 = 1.50"),
        Case("20 + 10% = 22"),
        Case("Divide by 3 x = 2 | x = 9 x 2"),
        Case("((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))) = 2"),
        Case(""),
        Case("= | == | = ="),
    ]

    @Test(arguments: wrong) func findsTheFirstWrongLine(_ row: Case) {
        let finding = DerivationChecker().check(row.lines)
        #expect(finding?.index == row.index)
        if let kind = row.kind { #expect(finding?.kind == kind) }
    }

    @Test(arguments: right) func leavesRightDerivationsAlone(_ row: Case) {
        #expect(DerivationChecker().check(row.lines) == nil)
    }

    @Test(arguments: silent) func staysSilentWhereNothingIsProvable(_ row: Case) {
        #expect(DerivationChecker().check(row.lines) == nil)
    }

    @Test func readsPastANoteInTheMargin() {
        #expect(DerivationChecker().check(["2x - 6 = 10 | +6", "2x = 16 | :2", "x = 8"]) == nil)
        #expect(DerivationChecker().check(["2x - 6 = 10 | +6", "2x = 4"])?.index == 1)
    }

    @Test func saysWhatTheLineShouldRead() {
        let finding = DerivationChecker().check(["3(x - 2) = 12", "3x - 6 = 12", "3x = 6", "x = 2"])
        #expect(finding?.basis == 1)
        #expect(finding?.correction == "3x = 18")
        let expanded = DerivationChecker().check(["3(x - 2) = 12", "3x - 2 = 12"])
        #expect(expanded?.correction == "3x - 6 = 12")
        let solved = DerivationChecker().check(["2x = 7", "x = 4"])
        #expect(solved?.correction == "x = 7/2")
    }

    @Test func tellsHowFarADerivationCame() {
        let checker = DerivationChecker()
        #expect(checker.review(["3(x - 2) = 12"]).progress == .open(line: 0, next: .expand))
        #expect(checker.review(["3(x - 2) = 12", "3x - 6 = 12"]).progress == .open(line: 1, next: .isolate))
        #expect(checker.review(["3x - 6 = 12", "3x = 12 + 6"]).progress == .open(line: 1, next: .collectTerms))
        #expect(checker.review(["3x - 6 = 12", "3x = 18"]).progress == .open(line: 1, next: .divide))
        #expect(checker.review(["3x = 18", "x = 18/3"]).progress == .open(line: 1, next: .workOut))
        #expect(checker.review(["3x = 18", "x = 6"]).progress == .solved(line: 1))
        #expect(checker.review(["x^2 = 9"]).progress == .open(line: 0, next: .factor))
        #expect(checker.review(["hello"]).progress == .unknown)
        #expect(checker.review(["3x = 18", "x = 6"]).verdicts == [.start, .right])
    }

    @Test func callsADerivationSolvedOnlyWhereEveryStepWasChecked() {
        let checker = DerivationChecker()
        // The second line hides two slips at once, which nothing explains exactly.
        #expect(
            checker.review(["x/2 - (x - 1)/3 = 1", "3x - 2x - 1 = 6", "x = 7"]).progress == .doubtful(line: 1))
        #expect(checker.review(["8/(x - 1) = 4", "8 = 4x - 1", "9 = 4x"]).progress == .doubtful(line: 1))
        #expect(checker.review(["2^x = 8", "x = 4"]).progress == .unknown)
        #expect(checker.review(["√(x + 1) = 3", "x + 1 = 9", "x = 8"]).progress == .checked)
        #expect(checker.review(["x + y = 5", "x - y = 1", "2x = 4", "x = 2", "y = 3"]).progress == .checked)
        #expect(checker.review(["x/2 - (x - 1)/3 = 1", "3x - 2x - 1 = 6", "x = 7"]).solution.isEmpty)
        #expect(checker.review(["12 - 4 × 2 = 12 - 8 = 4"]).progress == .checked)
    }

    @Test func goesOnToTheNextExerciseOnceOneIsSolved() {
        let lines = ["2x + 3 = 7", "2x = 4", "x = 2", "3x = 9", "x = 3"]
        #expect(DerivationChecker().review(lines).progress == .solved(line: 4))
        #expect(DerivationChecker().review(["2x = 4", "3x = 9"]).progress == .open(line: 1, next: .divide))
    }

    @Test func asksForEverySolution() {
        let checker = DerivationChecker()
        #expect(checker.review(["x² = 9", "x = 3"]).progress == .partlySolved(line: 1))
        #expect(checker.review(["x² = 9", "x = 3", "x = -3"]).progress == .solved(line: 2))
        #expect(checker.review(["x² = 9", "x = 3 or x = -3"]).progress == .solved(line: 1))
        #expect(checker.review(["x² = 9", "x = ±3"]).progress == .solved(line: 1))
        #expect(checker.check(["x² = 9", "x = ±4"])?.index == 1)
        #expect(checker.review(["(x + 3)^2 = 4", "x + 3 = ±2", "x = -1 or x = -5"]).progress == .solved(line: 2))
    }

    @Test func namesTheLineWithTheSolutionAndNotTheOneThatChecksIt() {
        let lines = ["3x + 4 = 10", "3x = 6", "x = 2", "Check: 3(2) + 4 = 10"]
        #expect(DerivationChecker().review(lines).progress == .solved(line: 2))
    }

    @Test(
        arguments: [
            "Solve 2x + 3 = 7", "Solve for x: 2x + 3 = 7", "Solve the equation 2x + 3 = 7.", "Find x: 2x + 3 = 7",
            "求 x：2x + 3 = 7", "解方程 2x + 3 = 7",
        ])
    func takesAnExerciseAsTheBeginningOfItsSteps(exercise: String) {
        #expect(DerivationChecker().check([exercise, "2x = 10", "x = 5"])?.index == 1)
        #expect(DerivationChecker().review([exercise, "2x = 4", "x = 2"]).progress == .solved(line: 2))
        // Set after another one, it does not have to follow from it.
        #expect(DerivationChecker().check(["5x = 20", exercise, "2x = 4"]) == nil)
    }

    @Test func readsADivisionInTheMarginAsANote() {
        #expect(DerivationChecker().check(["3x = 9 | :3", "x = 6"])?.index == 1)
        #expect(DerivationChecker().review(["3x = 9 | :3", "x = 3"]).progress == .solved(line: 1))
    }

    @Test func beyondItsLimitsItStaysSilent() {
        var limits = CheckingLimits()
        limits.lines = 2
        let lines = ["2x = 8", "x = 4", "7 × 8 = 54"]
        #expect(DerivationChecker(limits: limits).check(lines) == nil)
        #expect(DerivationChecker().check(lines)?.index == 2)
        #expect(DerivationChecker(limits: limits).review(lines).verdicts.count == 3)
    }

    @Test func survivesAnyText() {
        var numbers = SplitMix64(seed: 3)
        let alphabet = Array("x y2 3=+-*/^()[]{}.,:%½²－＝（\\frac{}$得 so or =>|“\u{200B}\u{301}9999999")
        let checker = DerivationChecker()
        for _ in 0..<400 {
            let lines = (0..<4).map { _ in
                String(
                    (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                        alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)]
                    })
            }
            #expect(checker.review(lines).verdicts.count == 4)
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
