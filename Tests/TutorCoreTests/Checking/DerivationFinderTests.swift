// DerivationFinderTests: which elements of a screen form one derivation.

import Glibc
import Testing
import TutorCore
import TutorProtocol

@Suite("DerivationFinder") struct DerivationFinderTests {
    private func texts(_ builder: LessonBuilder) -> [[String]] {
        DerivationFinder().derivations(in: builder.lesson.elements.map(\.element)).map { $0.lines.map(\.text) }
    }

    @Test func takesCloseLinesTogetherAndFarOnesApart() {
        var builder = LessonBuilder()
        builder.add(.math, "2x = 8", y: 0.10)
        builder.add(.math, "x = 4", y: 0.17)
        builder.add(.math, "3y = 9", y: 0.50)
        builder.add(.math, "y = 3", y: 0.57)
        #expect(texts(builder) == [["2x = 8", "x = 4"], ["3y = 9", "y = 3"]])
    }

    @Test func keepsColumnsApart() {
        var builder = LessonBuilder()
        builder.add(.math, "2x = 8", x: 0.05, y: 0.10)
        builder.add(.math, "3x = 9", x: 0.60, y: 0.10)
        builder.add(.math, "x = 4", x: 0.05, y: 0.17)
        builder.add(.math, "x = 3", x: 0.60, y: 0.17)
        #expect(texts(builder) == [["2x = 8", "x = 4"], ["3x = 9", "x = 3"]])
    }

    @Test func followsRegionsAndLineNumbers() {
        var builder = LessonBuilder()
        builder.add(.math, "x = 4", y: 0.1, region: "a", line: 2)
        builder.add(.math, "2x = 8", y: 0.1, region: "a", line: 1)
        builder.add(.math, "3y = 9", y: 0.17, region: "b", line: 1)
        #expect(texts(builder) == [["2x = 8", "x = 4"], ["3y = 9"]])
    }

    @Test func beginsAnewWhereLineNumbersDoNotRiseOrAHeadingStands() {
        var numbered = LessonBuilder()
        numbered.add(.math, "2x = 8", region: "work", line: 1)
        numbered.add(.math, "x = 4", region: "work", line: 2)
        numbered.add(.math, "3x = 9", region: "work", line: 1)
        #expect(texts(numbered) == [["2x = 8", "x = 4"], ["3x = 9"]])
        var headed = LessonBuilder()
        headed.add(.math, "2x = 8", y: 0.1)
        headed.add(.heading, "Second", y: 0.15)
        headed.add(.math, "3x = 9", y: 0.18)
        #expect(texts(headed) == [["2x = 8"], ["3x = 9"]])
    }

    @Test func takesTextsOnlyWhenTheyAreEquationsAsAWhole() {
        var builder = LessonBuilder()
        builder.add(.text, "2x = 8", y: 0.1)
        builder.add(.text, "She had 5 x 3 = 16 apples", y: 0.3)
        builder.add(.text, "Step 2: x = 4", y: 0.17)
        builder.add(.radio, "x = 5", y: 0.24)
        builder.add(.text, "Total = price", y: 0.3)
        #expect(texts(builder) == [["2x = 8", "Step 2: x = 4"]])
    }

    @Test func readsTheRowsOfOneElementAsLines() {
        var builder = LessonBuilder()
        builder.add(.input, "", value: "2x = 8\nx = 3")
        #expect(texts(builder) == [["2x = 8", "x = 3"]])
        #expect(builder.answer.pointed == [11])
    }

    @Test func leavesAListOfExercisesAndTheirChoicesAlone() {
        var builder = LessonBuilder()
        builder.add(.math, "x + 3 = 7")
        builder.add(.math, "x - 3 = 7")
        builder.add(.radio, "x = 10")
        builder.add(.radio, "x = 11")
        for derivation in DerivationFinder().derivations(in: builder.lesson.elements.map(\.element)) {
            #expect(derivation.review().finding == nil)
        }
    }

    @Test func isLinearInTheElements() {
        // 2 000 elements are found and judged well below the time that a quadratic walk would take.
        var elements: [Element] = []
        for index in 0..<2_000 {
            guard let id = ElementID("e\(index)"),
                let box = Box(x: Double(index % 4) / 4, y: Double(index / 4) * 0.04, width: 0.2, height: 0.03)
            else { continue }
            let text = index % 8 < 4 ? "\(index)x + 3 = \(index * 2 + 3)" : "x = 2"
            elements.append(Element(id: id, kind: index % 3 == 0 ? .text : .math, content: text, box: box))
        }
        let begun = processorTime()
        let found = DerivationFinder().derivations(in: elements)
        #expect(found.allSatisfy { $0.review().finding == nil })
        #expect(found.count >= 4)
        let time = processorTime() - begun
        print("2 000 mathematical elements found and judged in \(time)")
        #expect(time < .seconds(5))
    }

    /// Of this thread: other tests and programs run beside this one.
    private func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
