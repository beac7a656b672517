// QuotedLabel: an answer without tags that quotes one label means that element.
// Spec: docs/architecture.md (what the model says)

import ScreenCore
import Testing
import TutorCore
import TutorProtocol

@Suite("Derived highlight")
struct QuotedLabelTests {
    @Test(arguments: [
        ("Press “Submit” when you are done.", 1),
        ("Press \"Submit.\" when you are done.", 1),
        ("Press `Submit` or not.", 1),
        ("Press **Submit** twice: **Submit**.", 1),
        ("Look at `2x + 3 = 7` again.", 2),
        ("点击「提交作业」。", 3),
        ("点击『提交作业』", 3),
        ("Type into “Your answer”.", 4),
        ("Cliquez sur « Submit ».", 1),
        ("It is a**b, so **Submit**", 1),
        // Not a quote, not exact, not unique, not one.
        ("Press Submit.", nil),
        ("Press “submit”.", nil),
        ("Press “Submit it”.", nil),
        ("Press “Help”.", nil),
        ("Press “Submit”, then “提交作业”.", nil),
        ("Never show “Password”.", nil),
        ("Not sent: “Cancel”.", nil),
        ("“Submit", nil),
        ("“\n”", nil),
        ("", nil),
    ])
    func findsTheOneQuotedElement(answer: String, alias: Int?) throws {
        let (screen, sent) = try Self.screen()
        #expect(QuotedLabel().derivedTarget(answer: answer, sent: sent, pinned: screen) == alias)
    }

    @Test func readsALongAnswerOnce() throws {
        let (screen, sent) = try Self.screen()
        let answer = String(repeating: "“", count: 50_000) + "“Submit”"
        #expect(QuotedLabel().derivedTarget(answer: answer, sent: sent, pinned: screen) == nil)
        let quotes = String(repeating: "“x” ", count: 20_000)
        #expect(QuotedLabel().derivedTarget(answer: quotes, sent: sent, pinned: screen) == nil)
    }

    private static func screen() throws -> (ScreenState, [Int: ElementSerial]) {
        let described: [(ElementKind, String, ElementStates)] = [
            (.button, "Submit", []), (.math, "2x + 3 = 7", []), (.button, "提交作业", []), (.input, "", []),
            (.link, "Help", []), (.button, "Help", []), (.input, "Password", .secure), (.button, "Cancel", []),
        ]
        var elements: [Element] = []
        for (index, (kind, content, states)) in described.enumerated() {
            elements.append(
                Element(
                    id: try #require(ElementID("e\(index + 1)")), kind: kind, content: content,
                    box: try #require(Box(x: 0, y: Double(index) / 10, width: 0.5, height: 0.05)),
                    placeholder: kind == .input && content.isEmpty ? "Your answer" : nil, states: states))
        }
        var state = ScreenState()
        _ = try state.apply(
            ScreenSnapshot(revision: 1, elements: elements), coordinates: Coordinates(), limits: Limits())
        var sent: [Int: ElementSerial] = [:]
        for (index, element) in state.elements.dropLast().enumerated() { sent[index + 1] = element.serial }
        return (state, sent)
    }
}
