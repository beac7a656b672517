// Rows: what a model reads of a screen.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct RowWriterTests {
    private func rows(
        _ state: ScreenState, budget: Int = 1_000, question: String = "", changed: Set<ElementSerial> = []
    ) -> String {
        var aliases = AliasTable()
        return ScreenSelector(budget: budget)
            .select(state, query: RelevanceQuery(question: question, changed: changed), aliases: &aliases).rows
    }

    @Test func writesKindsFlagsAndNeighbours() throws {
        var answer = element("e2", .input, "", at: box(0.1, 0.42, 0.28, 0.06))
        answer.placeholder = "Answer"
        var state = try screen(
            [
                element("e1", .math, "2x + 3 = 7", at: box(0.1, 0.35, 0.36, 0.05)), answer,
                element("e3", .button, "Submit", at: box(0.42, 0.42, 0.16, 0.06), states: .disabled),
            ], title: "Algebra 1", size: ScreenSize(width: 1_170, height: 2_532))
        try state.take(
            ScreenDelta(
                base: 1, revision: 2, add: [element("e4", .error, "Check your signs", at: box(0.1, 0.5, 0.5, 0.04))]))
        let changed = Set([state.element(id("e4"))?.serial].compactMap(\.self))
        #expect(
            rows(state, changed: changed) == """
                screen 1170x2532 "Algebra 1" (sent 4 of 4)
                1 2x + 3 = 7
                2i _Answer | 3b- Submit
                4!* Check your signs
                """)
    }

    @Test func writesWhatFieldsHold() throws {
        var labelled = element("a", .input, "Name", at: box(0.1, 0.1, 0.3, 0.05))
        labelled.value = "Ada"
        let typed = element("b", .input, "x = 4", at: box(0.1, 0.2, 0.3, 0.05), states: .focused)
        let ticked = element("c", .checkbox, "Agree", at: box(0.1, 0.3, 0.3, 0.05), states: .checked)
        let wrong = element("d", .select, "Grade", at: box(0.1, 0.4, 0.3, 0.05), states: .invalid)
        #expect(
            try rows(screen([labelled, typed, ticked, wrong])) == """
                screen (sent 4 of 4)
                1i Name =Ada
                2i> =x = 4
                3c+ Agree
                4s! Grade
                """)
    }

    @Test func separatesBlocksAndPutsTheDialogFirst() throws {
        let elements = [
            element("t", .heading, "Quiz", at: box(0.1, 0.05, 0.3, 0.05)),
            element("x", .text, "Far below", at: box(0.1, 0.9, 0.3, 0.03)),
            element("d", .dialog, "Leave?", at: box(0.2, 0.3, 0.6, 0.3)),
            element("y", .button, "Yes", at: box(0.25, 0.5, 0.2, 0.05)),
        ]
        #expect(
            try rows(screen(elements)) == """
                screen (sent 4 of 4)
                1d Leave?
                2b Yes

                3# Quiz

                4 Far below
                """)
    }

    @Test func neverWritesBoxesOrIDs() throws {
        let state = try screen([element("secret-id.7", .button, "Go", at: box(0.123_4, 0.567_8, 0.1, 0.1))])
        let text = rows(state)
        #expect(!text.contains("secret-id") && !text.contains("0.12") && !text.contains("0.56"))
    }

    @Test func neverWritesHiddenOrSecureElements() throws {
        var password = element("p", .input, "hunter2", at: box(0.1, 0.2, 0.3, 0.05), states: .secure)
        password.value = "hunter2"
        let state = try screen([
            password, element("h", .text, "unseen", at: box(0.1, 0.3, 0.3, 0.05), states: .hidden),
            element("v", .text, "seen", at: box(0.1, 0.4, 0.3, 0.05)),
        ])
        #expect(rows(state) == "screen (sent 1 of 3; left out: 1 hidden, 1 secure)\n1 seen")
    }

    @Test func longTextsStandAlone() throws {
        let state = try screen([
            element("a", .text, "short", at: box(0.1, 0.1, 0.1, 0.03)),
            element("b", .text, String(repeating: "long ", count: 10), at: box(0.3, 0.1, 0.3, 0.03)),
            element("c", .text, "brief", at: box(0.7, 0.1, 0.1, 0.03)),
        ])
        #expect(rows(state).split(separator: "\n").count == 4)
    }

    @Test func tellsRepeatedRowsThatWereLeftOutAsANumber() throws {
        let names = (0..<120).map { "Value \($0 * 37 % 101)" }
        let state = try screen(column(names, height: 0.01))
        let text = rows(state, budget: 250, question: "Value 37")
        #expect(text.split(separator: "\n").contains { $0.hasPrefix("… +") && $0.hasSuffix(")") })
        let whole = rows(state, budget: 10_000, question: "Value")
        #expect(!whole.contains("…") && names.allSatisfy { whole.contains($0) })
    }
}
