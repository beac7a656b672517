// LineReaderTests: mathematics as people and pages write it.

import Testing
import TutorCore

@Suite("LineReader") struct LineReaderTests {
    /// The lines mean the same as the plain form beside them.
    @Test(arguments: [
        ("3(x − 2) = 12", "3(x - 2) = 12"), ("３（ｘ－２）＝１２", "3(x-2)=12"), ("3·x ÷ 2 = 6", "3x ÷ 2 = 6"),
        ("\\frac{x}{2} + 1 = 4", "x/2 + 1 = 4"), ("$3 \\times x = 6$", "3x = 6"), ("\\(2x = 4\\)", "2x = 4"),
        ("x² + 2x = 8", "x^2 + 2x = 8"), ("½x = 3", "(1/2)x = 3"), ("3½ = x", "7/2 = x"), ("3 1/2 = x", "7/2 = x"),
        ("Step 2: 2x = 4", "2x = 4"), ("(2) 2x = 4", "2x = 4"), ("2. 2x = 4", "2x = 4"), ("∴ 2x = 4", "2x = 4"),
        ("=> 2x = 4", "2x = 4"), ("so 2x = 4", "2x = 4"), ("所以 2x = 4", "2x = 4"), ("解：2x = 4", "2x = 4"),
        ("移项，得 2x = 4", "2x = 4"), ("2x = 4.", "2x = 4"), ("2x = 4 | -3", "2x = 4"), ("2x = 4 cm", "2x = 4"),
        ("[2x + {1 - 3}] = 4", "(2x + (1 - 3)) = 4"), ("50% × x = 4", "0.5 × x = 4"), ("2xy = 4", "2 x y = 4"),
        ("1,200 = x", "1200 = x"), ("3 x 4 = 12", "3 × 4 = 12"),
    ])
    func readsTheSame(written: String, plain: String) throws {
        let (a, b) = (try #require(sides(written)), try #require(sides(plain)))
        #expect(a.count == b.count)
        let limits = CheckingLimits()
        for (left, right) in zip(a, b) {
            #expect(
                try left.normalised(limits: limits).isIdentical(to: right.normalised(limits: limits), limits: limits))
        }
    }

    @Test(arguments: [
        "1/2x = 4", "6/2(1+2) = 9", "x2 = 4", "f(3) = 4", "2^3^2 = 64", "-3^2 = 9", "x = 1,5", "x > 4", "x ≈ 4",
        "sin x = 1",
        "x = π", "25 / 1/3 = 75", "x = ±3", "half of x = 4", "If x = 4, y = 5", "x = 3 or 4", "x = √4",
    ])
    func leavesWhatCanBeReadInTwoWays(text: String) {
        #expect(sides(text) == nil)
    }

    @Test func readsSeveralStatementsOfOneLine() throws {
        guard case .steps(let chains) = LineReader().read("2x = 14, so x = 7") else {
            Issue.record("no steps")
            return
        }
        #expect(chains.map(\.sides.count) == [2, 2])
        guard case .steps(let cases) = LineReader().read("x = 3 or x = -3") else {
            Issue.record("no cases")
            return
        }
        #expect(cases.map(\.isAlternative) == [true, true])
    }

    @Test(arguments: ["3(x - 2)", "5 - (x - 3)", "x/2 - (1 + x)/3", "-(x + 1)^2", "2 * 3 * x", "0.05x", "12 - -3"])
    func writesWhatItRead(text: String) throws {
        let first = try #require(sides("y = " + text))
        let again = try #require(sides("y = " + first[1].text))
        let limits = CheckingLimits()
        #expect(try first[1].normalised(limits: limits) == again[1].normalised(limits: limits))
    }

    private func sides(_ text: String) -> [Expression]? {
        guard case .steps(let chains) = LineReader().read(text), chains.count == 1 else { return nil }
        return chains[0].sides
    }
}
