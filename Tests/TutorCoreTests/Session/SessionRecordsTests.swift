// SessionRecordsTests: what is kept of a session, brought back, rated and forgotten.
// Spec: docs/protocol.md §3, §5 rule 3, §8; docs/reliability.md

import Testing
import TutorCore
import TutorProtocol

@Suite("§3 and §8 records") struct SessionRecordsTests {
    private func hello(epoch: String, seq: Int64) -> Hello {
        Hello(role: .student, resume: Hello.Resume(session: "s_1", key: "k", epoch: epoch, seq: seq))
    }

    /// The session as the disk has it after one write.
    private func restart(
        _ harness: inout SessionHarness, epoch: String, after milliseconds: Int64 = 1_000
    ) throws -> StoredSession {
        let write = try #require(harness.session.write(wallNow: SessionHarness.wallStart))
        let stored = StoredSession(session: write.session, turns: write.turns, events: write.events)
        harness.session = Session(
            restoring: stored, epoch: epoch, hello: Hello(role: .student), configuration: SessionConfiguration(),
            seed: 2, now: .seconds(5), wallNow: SessionHarness.wallStart + milliseconds)
        harness.now = .seconds(5)
        return stored
    }

    @Test func aTurnThatARestartCutFailsWithItsText() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        for piece in ["Half ", "of ", "it"] { harness.model(.text(piece)) }
        let stored = try restart(&harness, epoch: "e2")
        #expect(stored.events.map(\.firstSeq) == [1, 2])
        #expect(harness.session.log.lastSeq == 5)
        let events: [EventLog.Merged] = try #require(harness.session.log.events(after: 1))
        #expect(events.map(\.event.seq) == [4, 5])
        #expect(events.map(\.fromSeq) == [2, nil])
        guard case .turnEnd(let end) = events.last?.event.event else {
            Issue.record("the turn has no end")
            return
        }
        #expect(end.status == .failed)
        #expect(end.reason == "restarted")
        #expect(end.answer == "Half of it")
    }

    @Test(arguments: [(0, true), (1, true), (2, false), (3, false), (4, true), (5, false)])
    func anOlderEpochCountsAsFarAsItIsOnDisk(seq: Int64, isReplay: Bool) throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        for piece in ["Half ", "of ", "it"] { harness.model(.text(piece)) }
        _ = try restart(&harness, epoch: "e2")
        let effects = harness.session.resume(
            hello(epoch: "e1", seq: seq), re: nil, key: "k3", keyGeneration: 2, version: "1", now: harness.now)
        #expect(effects.welcome?.resumed == (isReplay ? .replay : .snapshot))
        #expect(effects.welcome?.epoch == "e2")
        #expect(effects.welcome?.screenRevision == 0)
        #expect(effects.follows == [isReplay ? seq : 5])
        #expect(harness.session.keyGeneration == 2)
    }

    @Test func anAskIsKnownAcrossARestart() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("Look.")
        _ = try restart(&harness, epoch: "e2")
        harness.run(
            harness.session.resume(
                hello(epoch: "e1", seq: 0), re: nil, key: "k", keyGeneration: 1, version: "1", now: harness.now))
        harness.ask(id: "q1")
        #expect(harness.requests.count == 1)
        harness.ask("Something else", id: "q1")
        #expect(harness.errors.map(\.path) == ["id"])
    }

    @Test func anAskIsForgottenTenMinutesAfterIt() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("Look.")
        _ = try restart(&harness, epoch: "e2", after: 600_000)
        harness.run(
            harness.session.resume(
                hello(epoch: "e1", seq: 0), re: nil, key: "k", keyGeneration: 1, version: "1", now: harness.now))
        harness.ask(id: "q1")
        #expect(harness.starts.count == 2)
    }

    @Test func aStartWaitsForTheDiskAndTextDoesNot() throws {
        var harness = try SessionHarness.onAlgebra()
        #expect(harness.session.sendableSeq == 0)
        harness.ask(id: "q1")
        #expect(harness.session.sendableSeq == 0)
        let write = try #require(harness.session.write(wallNow: 1))
        harness.model(.text("Look"))
        harness.session.wrote(write)
        #expect(harness.session.savedSeq == 1)
        #expect(harness.session.sendableSeq == 2)
        harness.ask("Next?", id: "q2")
        #expect(harness.session.sendableSeq == 3)
        harness.session.wrote(try #require(harness.session.write(wallNow: 2)))
        #expect(harness.session.sendableSeq == harness.session.log.lastSeq)
        #expect(harness.session.write(wallNow: 3) == nil)
    }

    @Test func aTurnThatEndedWhileItWasWrittenIsWrittenAgain() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        let write = try #require(harness.session.write(wallNow: 1))
        harness.answer("Look.")
        harness.session.wrote(write)
        let next = try #require(harness.session.write(wallNow: 2))
        #expect(next.turns.map(\.ending?.status) == [.done])
        #expect(next.events.first?.firstSeq == 2)
    }

    @Test func forgettingEndsTheTurnAndKeepsNothingForTheDisk() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("Look"))
        let early = try #require(harness.session.write(wallNow: 1))
        let effects = harness.send(.forget(all: true), id: "f1")
        #expect(effects.last == .forget(all: true, re: MessageID("f1")))
        #expect(harness.ends.map(\.status) == [.cancelled])
        // A write from before says nothing of a disk that was erased.
        harness.session.wrote(early)
        let write = try #require(harness.session.write(wallNow: 2))
        #expect(write.events.isEmpty)
        #expect(write.turns.isEmpty)
        #expect(write.session.lastSeq == 3)
        // The client can still get the end; the next turn wipes it away.
        #expect(harness.session.log.firstSeq == 1)
        harness.ask("Next?", id: "q2")
        #expect(harness.session.log.firstSeq == 4)
        harness.send(.ask(Ask(text: "", of: TurnID(1))), id: "q3")
        #expect(harness.errors.map(\.code) == [.unknownTurn])
    }

    @Test func feedbackIsAboutATurnThatWas() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        let good = harness.send(.feedback(Feedback(turn: TurnID(1), value: 1, text: "thanks")), id: "f1")
        #expect(good == [.feedback(TurnID(1), value: 1, text: "thanks", re: MessageID("f1"))])
        harness.send(.feedback(Feedback(turn: TurnID(2), value: -1)), id: "f2")
        #expect(harness.errors.map(\.code) == [.unknownTurn])
    }

    @Test func aSnapshotTellsOfNoAskThatACrashCouldUndo() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.answer("One.")
        harness.session.wrote(try #require(harness.session.write(wallNow: 1)))
        harness.ask("Next?", id: "q2")
        let effects = harness.session.resume(
            hello(epoch: "other", seq: 0), re: nil, key: "k", keyGeneration: 1, version: "1", waitsForDisk: true,
            now: harness.now)
        #expect(effects.pages.map(\.lastSeq) == [3])
        #expect(effects.pages.first?.running == nil)
        #expect(effects.pages.first?.turns.map(\.answer) == ["One."])
        #expect(effects.follows == [3])
    }
}
