// StoreTests: what is written comes back, in order, bounded.
// Spec: docs/reliability.md (writing, reading); docs/protocol.md §3

import Foundation
import StoreIO
import Synchronization
import Testing
import TutorCore
import TutorProtocol

@Suite("Store")
struct StoreTests {
    @Test func whatIsWrittenComesBackAfterReopening() async throws {
        let folder = DataFolder()
        let first = try Store.open(folder.settings())
        let flushes = try [Sample.flush(1, of: "s1", subject: "li"), Sample.flush(2, of: "s1", subject: "li")]
        for flush in flushes { try await first.write([flush]).get() }
        await first.close()

        let second = try Store.open(folder.settings())
        let stored = try #require(try await second.load("s1"))
        #expect(stored.session == flushes[1].session)
        #expect(stored.turns == flushes.flatMap(\.turns))
        #expect(stored.events == flushes.flatMap(\.events))
        #expect(try await second.load("s2") == nil)
        #expect(second.secret == first.secret)
        #expect(second.secret.count == 32)
        #expect(Set(second.secret).count > 8)
        await second.close()
    }

    @Test func aTurnIsWrittenAgainWhenItEnds() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let begun = try Sample.turn(1, start: 1)
        let ended = try Sample.turn(1, start: 1, end: 3)
        let one = SessionWrite(
            session: Sample.session("s1", seq: 1), turns: [begun], events: [Sample.start(turn: 1, seq: 1)])
        let two = SessionWrite(
            session: Sample.session("s1", seq: 3), turns: [ended],
            events: [Sample.delta("x", from: 2, to: 2), Sample.end(turn: 1, seq: 3, answer: "x")])
        try await store.write([one]).get()
        #expect(try await store.load("s1")?.turns == [begun])
        try await store.write([two]).get()
        #expect(try await store.load("s1")?.turns == [ended])
        await store.close()
    }

    @Test func aFlushThatComesAgainLongerTakesTheOldOnesPlace() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let short = SessionWrite(
            session: Sample.session("s1", seq: 2), turns: [],
            events: [Sample.start(turn: 1, seq: 1), Sample.delta("a", from: 2, to: 2)])
        let long = SessionWrite(
            session: Sample.session("s1", seq: 4), turns: [],
            events: [Sample.start(turn: 1, seq: 1), Sample.delta("abc", from: 2, to: 4)])
        try await store.write([short]).get()
        try await store.write([long]).get()
        #expect(try await store.load("s1")?.events == long.events)
        await store.close()
    }

    @Test func onlyTheSuffixAfterAGapComesBack() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let flushes = try [1, 3, 4].map { try Sample.flush($0, of: "s1") }
        for flush in flushes { try await store.write([flush]).get() }
        #expect(try await store.load("s1")?.events == flushes[1].events + flushes[2].events)
        // The newest events are missing: nothing that is on disk leads up to the end.
        try await store.write([SessionWrite(session: Sample.session("s1", seq: 99), turns: [], events: [])]).get()
        #expect(try await store.load("s1")?.events == [])
        await store.close()
    }

    @Test func readingIsBoundedToTheNewest() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let flushes = try (1...5).map { try Sample.flush($0, of: "s1") }
        for flush in flushes { try await store.write([flush]).get() }
        let byEntries = try #require(try await store.load("s1", StoreReadLimits(entries: 4, turns: 2)))
        #expect(byEntries.events == Array(flushes.flatMap(\.events).suffix(4)))
        #expect(byEntries.turns == flushes.flatMap(\.turns).suffix(2))
        let byBytes = try #require(try await store.load("s1", StoreReadLimits(bytes: 10)))
        #expect(byBytes.events == flushes[4].events)
        await store.close()
    }

    @Test func aGroupIsOneTransactionOfManySessions() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let group = try (1...50).map { try Sample.flush(1, of: "s\($0)") }
        try await store.write(group).get()
        for write in group { #expect(try await store.load(write.session.id)?.events == write.events) }
        await store.close()
    }

    @Test func whatIsAskedForIsDoneInOrder() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        // All handed over before the first is done: the second flush survives because it came after the erasure.
        let done = Mutex<[String]>([])
        let second = try Sample.flush(2, of: "s1")
        store.write([try Sample.flush(1, of: "s1")]) { _ in done.withLock { $0.append("one") } }
        async let forgotten = store.forget(session: "s1")
        _ = await forgotten
        store.write([second]) { _ in done.withLock { $0.append("two") } }
        let stored = try #require(try await store.load("s1"))
        #expect(stored.events == second.events)
        #expect(done.withLock { $0 } == ["one", "two"])
        await store.close()
    }

    @Test func tooMuchThatWaitsIsRefusedAtOnce() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings { $0.waitingRows = 30 })
        // Another writer keeps the first group waiting.
        let other = try SQLiteDatabase(path: folder.files.path)
        try other.run("BEGIN IMMEDIATE")
        let results = Mutex<[Result<Void, StoreError>]>([])
        for number in 1...20 {
            store.write([try Sample.flush(1, of: "s\(number)")]) { result in results.withLock { $0.append(result) } }
        }
        try other.run("COMMIT")
        await store.close()
        let refused = results.withLock { $0 }.filter { if case .failure(.overloaded) = $0 { true } else { false } }
        #expect(results.withLock { $0.count } == 20)
        #expect(refused.count == 10)
    }

    @Test func aClosedStoreRefuses() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        await store.close()
        await store.close()
        await #expect(throws: StoreError.closed) { try await store.write([]).get() }
        await #expect(throws: StoreError.closed) { try await store.load("s1") }
        #expect(folder.files.size(suffix: "-wal") == 0)
    }

    @Test func theFilesAreTheOwnersAlone() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        try await store.write([try Sample.flush(1, of: "s1")]).get()
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(folder.path) == 0o700)
        for suffix in StoreFiles.suffixes { #expect(try mode(folder.files.path + suffix) == 0o600) }
        await store.close()
    }

    @Test func everyCommitIsSynchronousAndTheDeletedIsOverwritten() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        try await store.write([try Sample.flush(1, of: "s1")]).get()
        #expect(try SQLiteDatabase(path: folder.files.path).text("PRAGMA journal_mode") == "wal")
        await store.close()
    }

    @Test func theLogIsEmptiedWhenNothingHappens() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings { $0.idleMilliseconds = 20 })
        try await store.write([try Sample.flush(1, of: "s1")]).get()
        var rounds = 0
        while folder.files.size(suffix: "-wal") > 0, rounds < 500 {
            try await Task.sleep(for: .milliseconds(20))
            rounds += 1
        }
        #expect(folder.files.size(suffix: "-wal") == 0)
        await store.close()
    }

    @Test func feedbackNeedsASessionOnDisk() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let result = await store.addFeedback(session: "s1", turn: TurnID(1), value: 1, text: nil)
        #expect(throws: StoreError.notFound) { try result.get() }
        await store.close()
    }
}
