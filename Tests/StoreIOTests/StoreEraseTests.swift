// StoreEraseTests: forgetting, retention and the export of records.
// Spec: docs/protocol.md §8

import Foundation
import StoreIO
import Testing
import TutorCore
import TutorProtocol

@Suite("Store, records")
struct StoreEraseTests {
    private func holds(_ folder: DataFolder, _ marker: String) throws -> Bool {
        for suffix in ["", "-wal"] {
            let bytes = try Data(contentsOf: URL(filePath: folder.files.path + suffix))
            if bytes.range(of: Data(marker.utf8)) != nil { return true }
        }
        return false
    }

    @Test func noByteOfAForgottenSessionIsLeft() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings { $0.sliceRows = 7 })
        let marker = "MARKER-8f3a"
        for number in 1...40 {
            try await store.write([
                Sample.flush(number, of: "a", subject: "li", question: marker, answer: marker + "!"),
                Sample.flush(number, of: "b", subject: "li"),
            ]).get()
        }
        _ = await store.addFeedback(session: "a", turn: TurnID(1), value: -1, text: marker)
        #expect(try holds(folder, marker))
        try await store.forget(session: "a").get()
        #expect(try !holds(folder, marker))
        #expect(try await store.load("a") == nil)
        #expect(try await store.load("b")?.turns.count == 40)
        try await store.forget(session: "nobody").get()
        await store.close()
    }

    @Test func aSubjectsSessionsAreForgottenAndOthersStay() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        for id in ["a", "b"] { try await store.write([Sample.flush(1, of: id, subject: "li")]).get() }
        try await store.write([Sample.flush(1, of: "c", subject: "mo"), Sample.flush(1, of: "d")]).get()
        try await store.forget(subject: "li").get()
        for id in ["a", "b"] { #expect(try await store.load(id) == nil) }
        for id in ["c", "d"] { #expect(try await store.load(id) != nil) }
        await store.close()
    }

    @Test func writesGoOnBetweenTheSlicesOfADeletion() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings { $0.sliceRows = 1 })
        for number in 1...30 { try await store.write([Sample.flush(number, of: "a")]).get() }
        async let forgotten = store.forget(session: "a")
        // A session of the same name may begin before the old one is gone.
        let fresh = try Sample.flush(31, of: "a")
        try await store.write([fresh]).get()
        try await forgotten.get()
        let stored = try await store.load("a")
        #expect(stored == nil || stored?.events == fresh.events)
        await store.close()
    }

    @Test func anErasureThatWasCutIsFinishedByTheNextStart() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        for number in 1...5 { try await store.write([Sample.flush(number, of: "a", question: "MARKER-77")]).get() }
        await store.close()
        let database = try SQLiteDatabase(path: folder.files.path)
        try database.run("UPDATE sessions SET id = NULL")
        let again = try Store.open(folder.settings())
        try await again.forget(session: "a").get()
        #expect(try database.integer("SELECT count(*) FROM events") == 0)
        #expect(try database.integer("SELECT count(*) FROM sessions") == 0)
        await again.close()
    }

    @Test func sessionsThatNobodyTouchedAreDeletedAfterTheDaysSet() async throws {
        let folder = DataFolder()
        let day: Int64 = 86_400_000
        let store = try Store.open(
            folder.settings {
                $0.retentionDays = 30
                $0.wallNow = { 100 * day }
            })
        try await store.write([
            Sample.flush(1, of: "old", touched: 69 * day), Sample.flush(1, of: "new", touched: 71 * day),
        ]).get()
        try await store.retain().get()
        #expect(try await store.load("old") == nil)
        #expect(try await store.load("new") != nil)
        await store.close()
    }

    @Test func theExportHasQuestionsAnswersSummariesAndFeedback() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        try await store.write([Sample.flush(1, of: "a", subject: "li", question: "Why \"so\"?", answer: "Be|cause")])
            .get()
        try await store.write([Sample.flush(2, of: "a", subject: "li"), Sample.flush(1, of: "b", subject: "mo")]).get()
        try await store.addFeedback(session: "a", turn: TurnID(1), value: -1, text: "too long").get()
        let records = try await store.export(subject: "li")
        #expect(records["subject"]?.string == "li")
        #expect(records["cut"]?.bool == false)
        #expect(records["sessions"]?.array?.count == 1)
        let turns = try #require(records["sessions"]?[0]?["turns"]?.array)
        #expect(turns.count == 2)
        #expect(turns[0]["question"]?.string == "Why \"so\"?")
        #expect(turns[0]["answer"]?.string == "Be|cause")
        #expect(turns[0]["summary"]?.string == "about fractions")
        #expect(turns[0]["feedback"]?["value"]?.int == -1)
        #expect(turns[0]["feedback"]?["text"]?.string == "too long")
        #expect(turns[1]["feedback"] == nil)
        #expect(try await store.export(subject: "nobody")["sessions"]?.array == [])
        await store.close()
    }

    @Test func anExportThatIsTooLongSaysThatItIsCut() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings { $0.exportBytes = 2_000 })
        for number in 1...20 { try await store.write([Sample.flush(number, of: "a", subject: "li")]).get() }
        let records = try await store.export(subject: "li")
        #expect(records["cut"]?.bool == true)
        let count = try #require(records["sessions"]?[0]?["turns"]?.array?.count)
        #expect(count > 0 && count < 20)
        await store.close()
    }

    @Test func aLogThatAReaderKeepsLongIsSaid() async throws {
        let folder = DataFolder()
        let notices = Notices()
        let store = try Store.open(folder.settings { $0.walBytes = 20_000 }, notices)
        try await store.write([Sample.flush(1, of: "a")]).get()
        let reader = try SQLiteDatabase(path: folder.files.path)
        try reader.run("BEGIN")
        _ = try reader.integer("SELECT count(*) FROM events")
        for number in 2...20 { try await store.write([Sample.flush(number, of: "a")]).get() }
        #expect(notices.kinds == [.walLarge])
        #expect(!store.isDegraded)
        try reader.run("COMMIT")
        await store.close()
    }
}
