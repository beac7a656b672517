// Reading order: rows by centre, then left to right.

import ScreenCore
import Testing
import TutorProtocol

@Suite struct ReadingOrderTests {
    @Test func readsRowsThenLeftToRight() throws {
        let state = try screen([
            element("d", at: box(0.1, 0.5, 0.1, 0.04)), element("b", at: box(0.5, 0.105, 0.1, 0.04)),
            element("c", at: box(0.8, 0.09, 0.1, 0.04)), element("a", at: box(0.1, 0.1, 0.1, 0.04)),
        ])
        #expect(ReadingOrder.sorted(state.elements).map(\.id.rawValue) == ["a", "b", "c", "d"])
        #expect(ReadingOrder.rows(state.elements).map(\.count) == [3, 1])
    }

    @Test func aStaircaseIsNotOneRow() throws {
        let steps = (0..<5).map { element("s\($0)", at: box(0.5 - Double($0) * 0.1, Double($0) * 0.015, 0.05, 0.02)) }
        #expect(try ReadingOrder.rows(screen(steps).elements).map(\.count) == [2, 2, 1])
    }

    @Test func keepsTheOrderOfElementsOnOneSpot() throws {
        let same = (0..<6).map { element("e\($0)") }
        #expect(try ReadingOrder.sorted(screen(same).elements).map(\.element) == same)
    }
}
