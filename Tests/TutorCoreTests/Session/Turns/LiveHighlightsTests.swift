// LiveHighlightsTests: what the student was shown of the newest turn, and how it fares on the changing screen.
// Spec: docs/protocol.md §5 rules 8 and 9

import ScreenCore
import Testing
import TutorCore
import TutorProtocol

@Suite struct LiveHighlightsTests {
    private let turn = TurnID(1)

    /// The algebra screen with rings on all its elements until 10 s, and step 1 on the button.
    private func shown() throws -> (ScreenState, LiveHighlights) {
        var screen = ScreenState()
        _ = try screen.apply(try TestScreen.algebra(), coordinates: Coordinates(), limits: Limits())
        var live = LiveHighlights()
        for element in screen.elements {
            let ring = Highlight(
                turn: turn, at: 3, element: element.id, box: element.element.box, revision: 1,
                ttlMilliseconds: 10_000)
            live.addRing(ring, on: element, until: .seconds(10))
        }
        let button = try #require(screen.element(try TestScreen.id("go")))
        let step = NextAction(
            turn: turn, at: 5, step: 1, verb: .tap, element: button.id, box: button.element.box, revision: 1)
        live.addStep(step, on: button)
        return (screen, live)
    }

    private func apply(_ delta: ScreenDelta, to screen: inout ScreenState) throws {
        _ = try screen.apply(delta, coordinates: Coordinates(), limits: Limits())
    }

    private func update(
        _ id: String, content: String? = nil, row: Int? = nil, states: ElementStates? = nil
    ) throws -> ElementUpdate {
        ElementUpdate(
            id: try TestScreen.id(id), content: content, box: try row.map { try TestScreen.box(row: $0) },
            states: states)
    }

    @Test func nothingIsSaidWhenNothingChanged() throws {
        var (screen, live) = try shown()
        #expect(live.follow(screen, now: .zero).isEmpty)
        try apply(ScreenDelta(base: 1, revision: 2, focus: .element(try TestScreen.id("in"))), to: &screen)
        #expect(live.follow(screen, now: .zero).isEmpty)
        #expect(live.ringCount(now: .zero) == 5)
    }

    @Test func aTargetThatMovedGetsItsNewestBoxOnce() throws {
        var (screen, live) = try shown()
        try apply(ScreenDelta(base: 1, revision: 2, update: [try update("e2", row: 7)]), to: &screen)
        let expected = HighlightUpdate(
            turn: turn, element: try TestScreen.id("e2"), box: try TestScreen.box(row: 7), revision: 2)
        #expect(live.follow(screen, now: .zero) == [expected])
        #expect(live.follow(screen, now: .zero).isEmpty)
    }

    @Test func aTargetThatIsGoneIsSaidOnceWithItsReason() throws {
        var (screen, live) = try shown()
        let delta = ScreenDelta(
            base: 1, revision: 2, remove: [try TestScreen.id("e1")],
            update: [
                try update("e2", content: "2x = 4"), try update("e3", states: .hidden),
                try update("go", states: .secure),
            ])
        try apply(delta, to: &screen)
        let updates = live.follow(screen, now: .zero)
        #expect(updates.map(\.element.rawValue) == ["e1", "e2", "e3", "go"])
        #expect(updates.map(\.why) == [.removed, .stale, .hidden, .hidden])
        #expect(updates.allSatisfy { $0.box == nil && $0.revision == 2 && $0.turn == turn })
        #expect(live.follow(screen, now: .zero).isEmpty)
        #expect(live.ringCount(now: .zero) == 1)
    }

    @Test func whatAStudentWritesIntoAnInputIsNoOtherInput() throws {
        var (screen, live) = try shown()
        try apply(ScreenDelta(base: 1, revision: 2, update: [try update("in", content: "x = 2")]), to: &screen)
        #expect(live.follow(screen, now: .zero).isEmpty)
    }

    @Test func aBoxWithoutAreaIsHidden() throws {
        var (screen, live) = try shown()
        let flat = try #require(Box(x: 0, y: 0, width: 0, height: 0.1))
        let change = ElementUpdate(id: try TestScreen.id("e1"), box: flat)
        try apply(ScreenDelta(base: 1, revision: 2, update: [change]), to: &screen)
        #expect(live.follow(screen, now: .zero).map(\.why) == [.hidden])
    }

    @Test func anElementThatCameAgainIsAnotherOne() throws {
        var (screen, live) = try shown()
        let again = try TestScreen.element("e1", "2x + 3 = 7", kind: .math, row: 0)
        try apply(ScreenDelta(base: 1, revision: 2, remove: [again.id], add: [again]), to: &screen)
        #expect(live.follow(screen, now: .zero).map(\.why) == [.removed])
    }

    @Test func aRingWhoseTimeIsOverGetsNoWordButAStepDoes() throws {
        var (screen, live) = try shown()
        let all = screen.elements.map(\.id)
        try apply(ScreenDelta(base: 1, revision: 2, remove: all), to: &screen)
        #expect(live.ringCount(now: .seconds(10)) == 0)
        #expect(live.follow(screen, now: .seconds(10)).map(\.element.rawValue) == ["go"])
    }

    @Test func aStepThatIsDoneIsWatchedNoMore() throws {
        var (screen, live) = try shown()
        live.closeStep(1, of: TurnID(2))
        live.closeStep(1, of: turn)
        try apply(ScreenDelta(base: 1, revision: 2, remove: screen.elements.map(\.id)), to: &screen)
        #expect(live.follow(screen, now: .seconds(10)).isEmpty)
    }

    @Test func whatIsShownHasItsNewestBoxAndTheTimeThatIsLeft() throws {
        var (screen, live) = try shown()
        try apply(ScreenDelta(base: 1, revision: 2, update: [try update("go", row: 7)]), to: &screen)
        _ = live.follow(screen, now: .seconds(4))
        let shown = live.shown(of: turn, on: screen, now: .seconds(4))
        #expect(shown.highlights.count == 5)
        #expect(shown.highlights.allSatisfy { $0.ttlMilliseconds == 6_000 && $0.revision == 2 && $0.at == 3 })
        #expect(shown.nextActions.map(\.step) == [1])
        #expect(shown.nextActions.first?.box == (try TestScreen.box(row: 7)))
        #expect(live.shown(of: turn, on: screen, now: .seconds(10)).highlights.isEmpty)
        #expect(live.shown(of: TurnID(2), on: screen, now: .zero).isEmpty)
    }

    @Test func whoComesBackGetsWhatIsAlive() throws {
        var (screen, live) = try shown()
        #expect(live.alive(on: screen, now: .seconds(9)).count == 5)
        #expect(live.alive(on: screen, now: .seconds(10)).map(\.element.rawValue) == ["go"])
        live.removeAll()
        #expect(live.alive(on: screen, now: .zero).isEmpty)
        try apply(ScreenDelta(base: 1, revision: 2, remove: screen.elements.map(\.id)), to: &screen)
        #expect(live.follow(screen, now: .zero).isEmpty)
    }
}
