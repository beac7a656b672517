// ExtractiveSummary: a line about a turn whose model gave none.
// Spec: docs/architecture.md (what the model sees)

import Testing
import TutorCore

@Suite("Extractive summary")
struct ExtractiveSummaryTests {
    @Test(arguments: [
        ("Why is this wrong?", "The **sign** flips. Then divide.", "Why is this wrong? → The sign flips."),
        ("Why?", "Yes. The value is 3.5 here. More.", "Why? → Yes. The value is 3.5 here."),
        ("为什么错？", "移项时符号没变。再看第二行。", "为什么错？ → 移项时符号没变。"),
        ("Why?", "First line without end\nsecond line", "Why? → First line without end"),
        ("Why?", "", "Why?"),
        ("", "Only this.", "Only this."),
        ("", "", ""),
    ])
    func takesTheQuestionAndTheFirstSentence(question: String, answer: String, expected: String) {
        #expect(ExtractiveSummary.line(question: question, answer: answer) == expected)
    }

    @Test func cutsBetweenCharacters() {
        let family = "👩‍👩‍👧"
        for pad in 0..<40 {
            let text = String(repeating: "a", count: pad) + String(repeating: family + "e\u{301}", count: 60)
            let line = ExtractiveSummary.line(question: text, answer: text)
            #expect(line.utf8.count <= SummaryWindow.maximumBytes)
            // No torn character: what is left are whole characters of the text and the marks of the cut.
            #expect(
                line.allSatisfy {
                    "a→… ".contains($0) || text.contains($0) || $0.unicodeScalars.allSatisfy(\.properties.isEmoji)
                })
        }
    }
}
