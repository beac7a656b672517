// BuiltinPhrasesTests: the tables are complete, and no sentence gives a number away.

import Testing
import TutorCore

@Suite("BuiltinPhrases") struct BuiltinPhrasesTests {
    @Test(arguments: ["en", "zh"]) func namesEverySlipAndStepInItsOwnWords(language: String) {
        let table = BuiltinPhrases.phrases(for: language)
        #expect(Set(SlipKind.allCases.map { table.slip($0).name }).count == SlipKind.allCases.count)
        #expect(Set(NextStep.allCases.map { table.step($0).name }).count == NextStep.allCases.count)
        for kind in SlipKind.allCases {
            let slip = table.slip(kind)
            #expect(slip.question.contains("?") || slip.question.contains("？"))
            for text in [slip.question, slip.concept, slip.name, slip.short] {
                #expect(!Self.showsANumber(text), "\(text)")
            }
        }
        for next in NextStep.allCases {
            let step = table.step(next)
            for text in [step.question, step.concept, step.name, step.short] {
                #expect(!Self.showsANumber(text), "\(text)")
            }
        }
    }

    /// Digits and what could pass for a tag.
    ///
    /// Ideographs for numbers (`一`) are ordinary words here.
    private static func showsANumber(_ text: String) -> Bool {
        text.contains { ("0"..."9").contains($0) || $0 == "[" }
    }

    @Test func choosesByThePrimaryLanguage() {
        #expect(BuiltinPhrases.phrases(for: "zh-TW") == .chinese)
        #expect(BuiltinPhrases.phrases(for: "ZH") == .chinese)
        #expect(BuiltinPhrases.phrases(for: "en-GB") == .english)
        #expect(BuiltinPhrases.phrases(for: "") == .english)
    }
}
