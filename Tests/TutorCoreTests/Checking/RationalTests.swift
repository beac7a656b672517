// RationalTests: exact arithmetic, and what leaves its range.

import Testing
import TutorCore

@Suite("Rational") struct RationalTests {
    @Test func isAlwaysInLowestTerms() throws {
        #expect(try Rational(6, over: -8) == Rational(-3, over: 4))
        #expect(try Rational(0, over: -5) == .zero)
        #expect(try Rational(1, over: 3).adding(Rational(1, over: 6)) == Rational(1, over: 2))
        #expect(try Rational(2, over: 3).multiplied(by: Rational(9, over: 4)) == Rational(3, over: 2))
        #expect(try Rational(2, over: 3).divided(by: Rational(-4, over: 9)) == Rational(-3, over: 2))
        #expect(try Rational(-2, over: 3).raised(to: 3) == Rational(-8, over: 27))
        #expect(try Rational(-7, over: 2).description == "-7/2")
    }

    @Test func throwsInsteadOfOverflowing() {
        let big = Rational(Int.max)
        #expect(throws: MathError.overflow) { try big.adding(big) }
        #expect(throws: MathError.overflow) { try big.multiplied(by: big) }
        #expect(throws: MathError.overflow) { try Rational(Int.min, over: 1) }
        #expect(throws: MathError.divisionByZero) { try big.divided(by: .zero) }
        #expect(big.negated.negated == big)
    }

    @Test func knowsTheRootsOfSquares() throws {
        #expect(try Rational(9, over: 4).squareRoot == Rational(3, over: 2))
        #expect(Rational(2).squareRoot == nil)
        #expect(Rational(-4).squareRoot == nil)
        #expect(Rational(Int.max).squareRoot == nil)
    }
}
