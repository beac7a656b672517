// SessionScreenTests: snapshots and deltas in; acks, resyncs and moved rings out.
// Spec: docs/protocol.md §4, §5 rules 5 and 9

import ScreenCore
import Testing
import TutorCore
import TutorProtocol

@Suite("§4 the screen") struct SessionScreenTests {
    private func harness() throws -> SessionHarness {
        var harness = SessionHarness()
        harness.send(.screenSnapshot(try TestScreen.algebra()), id: "s1")
        return harness
    }

    private func move(_ id: String, to row: Int, base: Int64) throws -> ClientMessage.Body {
        .screenDelta(
            ScreenDelta(
                base: base, revision: base + 1,
                update: [ElementUpdate(id: try TestScreen.id(id), box: try TestScreen.box(row: row))]))
    }

    @Test func aSnapshotIsAcknowledged() throws {
        let harness = try harness()
        #expect(
            harness.messages == [.screenAck(ScreenAck(re: MessageID("s1"), revision: 1, elements: 5))])
    }

    @Test func aDeltaIsAcknowledgedAndAgainWhenItIsRepeated() throws {
        var harness = try harness()
        let delta = try move("e1", to: 6, base: 1)
        _ = harness.takeLines()
        harness.send(delta)
        harness.send(delta)
        #expect(harness.messages == Array(repeating: .screenAck(ScreenAck(revision: 2, elements: 5)), count: 2))
    }

    @Test func afterOneResyncDeltasAreDroppedUntilASnapshotComes() throws {
        var harness = try harness()
        _ = harness.takeLines()
        harness.send(try move("e1", to: 6, base: 5), id: "d1")
        #expect(harness.resyncs == [ScreenResync(re: MessageID("d1"), revision: 1, why: .gap)])
        #expect(harness.send(try move("e1", to: 6, base: 1), id: "d2").isEmpty)
        #expect(harness.send(try move("e1", to: 6, base: 5)).isEmpty)
        harness.send(.screenSnapshot(try TestScreen.algebra(revision: 9)))
        _ = harness.takeLines()
        harness.send(try move("e1", to: 6, base: 9))
        #expect(harness.messages == [.screenAck(ScreenAck(revision: 10, elements: 5))])
    }

    @Test func aDeltaBeforeAnySnapshotIsAGap() throws {
        var harness = SessionHarness()
        harness.send(try move("e1", to: 1, base: 0))
        #expect(harness.resyncs.map(\.why) == [.gap])
    }

    @Test func anUnknownElementAsksForASnapshot() throws {
        var harness = try harness()
        harness.send(.screenDelta(ScreenDelta(base: 1, revision: 2, remove: [try TestScreen.id("nobody")])))
        #expect(harness.resyncs.map(\.why) == [.unknownID])
        #expect(harness.session.screen.revision == 1)
    }

    @Test func aWrongMessageIsRefusedWithItsPathAndTheNextOneWorks() throws {
        var harness = try harness()
        _ = harness.takeLines()
        let twice = try TestScreen.element("e1", "again")
        harness.send(.screenDelta(ScreenDelta(base: 1, revision: 2, add: [twice])), id: "d1")
        harness.send(.screenSnapshot(ScreenSnapshot(revision: 2, elements: [twice, twice])), id: "s2")
        #expect(harness.errors.map(\.code) == [.badMessage, .badMessage])
        #expect(harness.errors.map(\.path) == ["add[0].id", "elements[1].id"])
        #expect(harness.resyncs.isEmpty)
        _ = harness.takeLines()
        harness.send(try move("e1", to: 6, base: 1))
        #expect(harness.messages == [.screenAck(ScreenAck(revision: 2, elements: 5))])
    }

    @Test func tooManyDeltasAreRefusedAndASnapshotIsAskedFor() throws {
        var harness = try harness()
        for base in 1...40 { harness.send(try move("e1", to: Int(base) % 7, base: Int64(base))) }
        #expect(harness.errors.isEmpty)
        _ = harness.takeLines()
        harness.send(try move("e1", to: 3, base: 41), id: "d41")
        #expect(harness.errors.map(\.code) == [.rateLimited])
        #expect(harness.errors.first?.retryMilliseconds == 50)
        #expect(harness.resyncs.map(\.why) == [.limit])
        #expect(harness.send(try move("e1", to: 3, base: 41)).isEmpty)
    }

    @Test func ringsFollowTheirElements() throws {
        var harness = try harness()
        harness.ask(id: "q1")
        harness.model(.text("Look [[\(try harness.alias("e2"))]] and [[\(try harness.alias("e3"))]]"))
        #expect(harness.highlights.map(\.element.rawValue) == ["e2", "e3"])
        _ = harness.takeLines()
        harness.send(try move("e2", to: 6, base: 1))
        #expect(
            harness.updates == [
                HighlightUpdate(
                    turn: TurnID(1), element: try TestScreen.id("e2"), box: try TestScreen.box(row: 6), revision: 2)
            ])
        harness.send(.screenDelta(ScreenDelta(base: 2, revision: 3, remove: [try TestScreen.id("e3")])))
        #expect(harness.updates.last?.box == nil)
        #expect(harness.updates.last?.why == .removed)
    }

    @Test func ringsLiveOnAfterTheirTurnUntilTheNextBegins() throws {
        var harness = try harness()
        harness.ask(id: "q1")
        harness.answer("Look [[\(try harness.alias("e2"))]].")
        harness.send(try move("e2", to: 6, base: 1))
        #expect(harness.updates.count == 1)
        harness.ask(id: "q2")
        harness.send(try move("e2", to: 5, base: 2))
        #expect(harness.updates.count == 1)
    }

    @Test func aRingWhoseTimeIsOverIsLeftAlone() throws {
        var harness = try harness()
        harness.ask(id: "q1")
        harness.answer("Look [[\(try harness.alias("e2"))]].")
        harness.wait(.seconds(15))
        harness.send(try move("e2", to: 6, base: 1))
        #expect(harness.updates.isEmpty)
    }

    @Test func theNextTurnKnowsWhatChanged() throws {
        var harness = try harness()
        harness.ask(id: "q1")
        #expect(harness.request?.lesson.elements.contains(where: \.isChanged) == false)
        harness.answer("ok")
        harness.send(
            .screenDelta(
                ScreenDelta(
                    base: 1, revision: 2,
                    update: [ElementUpdate(id: try TestScreen.id("in"), content: "5")])))
        harness.ask(id: "q2")
        let changed = harness.request?.lesson.elements.filter(\.isChanged).map(\.element.id.rawValue)
        #expect(changed == ["in"])
        harness.ask(id: "q3")
        #expect(harness.request?.lesson.elements.contains(where: \.isChanged) == false)
    }

    @Test func onANewScreenNothingIsMarkedAsChanged() throws {
        var harness = try harness()
        harness.ask(id: "q1")
        harness.answer("ok")
        harness.send(.screenSnapshot(try TestScreen.algebra(revision: 1)))
        harness.ask(id: "q2")
        #expect(harness.request?.lesson.elements.contains(where: \.isChanged) == false)
    }

    @Test func secretElementsReachNoLesson() throws {
        var harness = SessionHarness()
        harness.send(
            .screenSnapshot(
                ScreenSnapshot(
                    revision: 1,
                    elements: [
                        try TestScreen.element("pw", "hunter2", kind: .input, states: .secure),
                        try TestScreen.element("a", "Sign in", row: 1),
                    ])))
        harness.ask(id: "q1")
        #expect(harness.request?.lesson.elements.map(\.element.id.rawValue) == ["a"])
        let prompt = harness.request?.messages.map(\.text).joined() ?? ""
        #expect(!prompt.contains("hunter2"))
        #expect(!prompt.isEmpty)
    }
}
