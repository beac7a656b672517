// SummaryWindow: grows to five, is cut to three.
// Spec: docs/architecture.md (what the model sees)

import Testing
import TutorCore

@Suite("Earlier turns")
struct SummaryWindowTests {
    @Test func growsToFiveAndIsCutToThree() {
        var window = SummaryWindow()
        var counts: [Int] = []
        for turn in 1...12 {
            window.append("s\(turn)")
            counts.append(window.entries.count)
        }
        #expect(counts == [1, 2, 3, 4, 5, 3, 4, 5, 3, 4, 5, 3])
        #expect(window.entries == ["s10", "s11", "s12"])
    }

    @Test func holdsAfterEightTurnsOnlyTheLast() {
        var window = SummaryWindow()
        for turn in 1...8 { window.append("s\(turn)") }
        #expect(window.entries == ["s4", "s5", "s6", "s7", "s8"])
    }

    @Test func keepsShortSingleLines() {
        var window = SummaryWindow()
        window.append("  a\nb ")
        window.append(" \n ")
        window.append(String(repeating: "👩‍👩‍👧", count: 100))
        #expect(window.entries.count == 2)
        #expect(window.entries.first == "a b")
        #expect(window.entries.allSatisfy { $0.utf8.count <= SummaryWindow.maximumBytes })
    }
}
