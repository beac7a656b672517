// Token estimates: by script, never below one a CJK character.

import ScreenCore
import Testing

@Suite struct TokenEstimatorTests {
    private let estimator = TokenEstimator()

    /// Counts of the o200k vocabulary.
    @Test(arguments: [
        ("Submit", 1), ("Create account", 2), ("2x + 3 = 7", 8), ("12 Check your signs | 13 Back", 8),
        ("Confirmed: the flight leaves on Monday at 10:45", 12), ("$1,299.00", 6), ("version: 1.6.17.170", 10),
        ("You will receive an invitation by electronic mail", 8), ("https://example.com/help", 5),
    ])
    func isNearTheCount(text: String, count: Int) {
        let estimate = estimator.tokens(in: text)
        #expect(Double(estimate) >= 0.75 * Double(count) && Double(estimate) <= 1.35 * Double(count) + 1)
    }

    @Test(arguments: ["请检查你的符号", "第三题：解方程 2x+3=7", "こんにちは世界", "확인하십시오"])
    func countsAtLeastOneACharacter(text: String) {
        let characters = text.unicodeScalars.count { $0.value > 0x2E80 }
        #expect(estimator.tokens(in: text) >= characters)
        #expect(TokenEstimator(scale: 0.5).tokens(in: text) >= characters)
    }

    @Test func countsNothingForNothing() {
        #expect(estimator.tokens(in: "") == 0)
    }

    @Test func followsItsScale() {
        let text = "The quick brown fox jumps over the lazy dog"
        #expect(TokenEstimator(scale: 2).tokens(in: text) == 2 * estimator.tokens(in: text))
    }
}
