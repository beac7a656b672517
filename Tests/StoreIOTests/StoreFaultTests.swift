// StoreFaultTests: a disk that is full, locked, damaged or failing.
// Spec: docs/reliability.md (writing)

import CSQLite
import Foundation
import StoreIO
import Testing
import TutorCore
import TutorProtocol

@Suite("Store, faults")
struct StoreFaultTests {
    /// Every call of one scenario fails once, in turn: what was acknowledged is there afterwards, what failed is not
    /// half there.
    @Test(arguments: [
        (SQLITE_FULL, SQLiteFaults.Moment.before), (SQLITE_BUSY, .before), (SQLITE_IOERR, .before),
        (SQLITE_IOERR, .after),
    ])
    func whicheverCallFailsNothingAcknowledgedIsLost(code: Int32, moment: SQLiteFaults.Moment) async throws {
        var place = 1
        var isOver = false
        while !isOver {
            let folder = DataFolder()
            let faults = SQLiteFaults()
            let store = try Store.open(folder.settings { $0.faults = faults })
            let before = faults.calls
            faults.arm(at: place, code: code, moment)
            var acknowledged: [SessionWrite] = []
            var failed: [SessionWrite] = []
            for number in 1...3 {
                let group = [try Sample.flush(number, of: "a"), try Sample.flush(number, of: "b")]
                if case .success = await store.write(group) { acknowledged += group } else { failed += group }
            }
            _ = try? await store.load("a")
            isOver = faults.calls - before < place
            faults.disarm()
            #expect(failed.count <= 2)
            await store.close()

            let again = try Store.open(folder.settings())
            let pair = [try await again.load("a"), try await again.load("b")]
            for write in acknowledged {
                let stored = write.session.id == "a" ? pair[0] : pair[1]
                #expect(stored?.turns.contains(write.turns[0]) == true, "call \(place)")
            }
            for write in failed where moment == .before {
                let stored = write.session.id == "a" ? pair[0] : pair[1]
                #expect(stored?.turns.contains(write.turns[0]) != true, "call \(place)")
            }
            // Both sessions of a group or none.
            #expect(pair[0]?.turns == pair[1]?.turns, "call \(place)")
            #expect(pair[0]?.events == pair[1]?.events, "call \(place)")
            await again.close()
            place += 1
        }
        #expect(place > 12)
    }

    @Test func whicheverCallOfOpeningFailsTheNextOpeningWorks() async throws {
        var place = 1
        var isOver = false
        while !isOver {
            let folder = DataFolder()
            let faults = SQLiteFaults()
            faults.arm(at: place, code: SQLITE_FULL)
            let store = try? Store.open(folder.settings { $0.faults = faults })
            isOver = faults.calls < place
            if isOver { #expect(store != nil) }
            await store?.close()
            let again = try Store.open(folder.settings())
            try await again.write([try Sample.flush(1, of: "a")]).get()
            #expect(try await again.load("a") != nil)
            #expect(folder.files.damaged() == [])
            await again.close()
            place += 1
        }
    }

    @Test func aFullDiskDegradesAndHealsByItself() async throws {
        let folder = DataFolder()
        let faults = SQLiteFaults()
        let notices = Notices()
        let store = try Store.open(
            folder.settings {
                $0.faults = faults
                $0.probeMilliseconds = 20
            }, notices)
        faults.arm(at: 1, count: .max, code: SQLITE_FULL)
        for _ in 1...5 {
            await #expect(throws: StoreError.full) { try await store.write([try Sample.flush(1, of: "a")]).get() }
        }
        #expect(store.isDegraded)
        #expect(notices.kinds == [.degraded])
        faults.disarm()
        var rounds = 0
        while store.isDegraded, rounds < 3_000 {
            try await Task.sleep(for: .milliseconds(20))
            rounds += 1
        }
        #expect(!store.isDegraded)
        #expect(notices.kinds == [.degraded, .healed])
        await store.close()
    }

    @Test func aLockOfAnotherProcessIsWaitedForAndThenSaid() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        let other = try SQLiteDatabase(path: folder.files.path)
        try other.run("BEGIN IMMEDIATE")
        await #expect(throws: StoreError.busy) { try await store.write([try Sample.flush(1, of: "a")]).get() }
        #expect(store.isDegraded)
        #expect(try await store.load("a") == nil)
        try other.run("COMMIT")
        try await store.write([try Sample.flush(1, of: "a")]).get()
        #expect(!store.isDegraded)
        await store.close()
    }

    @Test func damageWhileRunningIsMovedAsideAndTheSecretStays() async throws {
        let folder = DataFolder()
        let faults = SQLiteFaults()
        let notices = Notices()
        let store = try Store.open(folder.settings { $0.faults = faults }, notices)
        try await store.write([try Sample.flush(1, of: "a")]).get()
        faults.arm(at: 2, code: SQLITE_CORRUPT)
        await #expect(throws: StoreError.corrupt) { try await store.write([try Sample.flush(2, of: "a")]).get() }
        #expect(notices.kinds.contains(.quarantined))
        #expect(folder.files.damaged() == [1])
        try await store.write([try Sample.flush(2, of: "a")]).get()
        #expect(try await store.load("a")?.events == Sample.flush(2, of: "a").events)
        await store.close()
        let again = try Store.open(folder.settings())
        #expect(again.secret == store.secret)
        await again.close()
    }

    @Test func onlyTheNewestDamagedFilesAreKept() async throws {
        let folder = DataFolder()
        for _ in 1...6 {
            let store = try Store.open(folder.settings())
            await store.close()
            try Data(repeating: 0x5A, count: 8_192).write(to: URL(filePath: folder.files.path))
        }
        let store = try Store.open(folder.settings())
        #expect(folder.files.damaged() == [4, 5, 6])
        await store.close()
    }

    /// Opens, reads and writes whatever the file is; true when that needed a new file.
    private func survives(_ folder: DataFolder) async throws -> Bool {
        let notices = Notices()
        let store = try Store.open(folder.settings(), notices)
        _ = try? await store.load("a")
        if case .failure = await store.write([try Sample.flush(9, of: "a")]) {
            try await store.write([try Sample.flush(9, of: "a")]).get()
        }
        await store.close()
        return notices.kinds.contains(.quarantined)
    }

    @Test func flippedBytesNeverStopTheServer() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        for number in 1...20 { try await store.write([try Sample.flush(number, of: "a", subject: "li")]).get() }
        await store.close()
        let good = try Data(contentsOf: URL(filePath: folder.files.path))
        var quarantined = 0
        for index in 0..<120 {
            let copy = DataFolder()
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            var bytes = good
            let offset = index < 40 ? index * 3 : (index * 7_919) % bytes.count
            bytes[offset] ^= 0xFF
            try bytes.write(to: URL(filePath: copy.files.path))
            do {
                if try await survives(copy) { quarantined += 1 }
            } catch StoreError.newerSchema {
                // The flipped byte was one of the schema's number: refused, and not touched.
            } catch {
                Issue.record("byte \(offset): \(error)")
            }
        }
        #expect(quarantined > 0)
    }

    @Test func emptyAndCutFilesAreOpened() async throws {
        let folder = DataFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.files.path))
        #expect(try await survives(folder) == false)
        let good = try Data(contentsOf: URL(filePath: folder.files.path))
        for count in [1, 99, 100, 4_096, 5_000, good.count - 4_096] {
            try good.prefix(count).write(to: URL(filePath: folder.files.path))
            _ = try await survives(folder)
        }
    }

    @Test func aCopyAtAnyMomentHoldsWhatWasAcknowledgedBefore() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        for number in 1...30 {
            try await store.write([try Sample.flush(number, of: "a")]).get()
            guard number.isMultiple(of: 5) else { continue }
            let copy = DataFolder()
            // Another flush is on its way while the files are copied; the log is cut anywhere in what follows.
            try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(
                    atPath: folder.files.path + suffix, toPath: copy.files.path + suffix)
            }
            let whole = try Data(contentsOf: URL(filePath: copy.files.path + "-wal"))
            try (whole + whole.prefix(1_000)).write(to: URL(filePath: copy.files.path + "-wal"))
            let opened = try Store.open(copy.settings())
            #expect(try await opened.load("a")?.events.count == number * 3)
            await opened.close()
            try await copy.cutLog(whole, to: whole.count / 2)
        }
        await store.close()
    }

    @Test func aNewerSchemaIsRefusedAndNotTouched() async throws {
        let folder = DataFolder()
        let store = try Store.open(folder.settings())
        try await store.write([try Sample.flush(1, of: "a")]).get()
        await store.close()
        let newer = try SQLiteDatabase(path: folder.files.path)
        try newer.run("PRAGMA user_version = 9")
        #expect(throws: StoreError.newerSchema(found: 9, known: Schema.migrations.count)) {
            try Store.open(folder.settings())
        }
        #expect(folder.files.damaged() == [])
        try newer.run("PRAGMA user_version = \(Schema.migrations.count)")
        let again = try Store.open(folder.settings())
        #expect(try await again.load("a") != nil)
        await again.close()
    }

    @Test func aMigrationThatIsCutAnywhereIsDoneByTheNextStart() async throws {
        let newer =
            Schema.migrations + [
                [
                    "ALTER TABLE sessions ADD COLUMN note TEXT", "UPDATE sessions SET note = 'old'",
                    "CREATE TABLE extra (x)",
                ]
            ]
        for place in 1...40 {
            let folder = DataFolder()
            let old = try Store.open(folder.settings())
            try await old.write([try Sample.flush(1, of: "a")]).get()
            await old.close()
            let faults = SQLiteFaults()
            faults.arm(at: place, count: .max, code: SQLITE_IOERR)
            let cut = try? Store.open(
                folder.settings {
                    $0.faults = faults
                    $0.migrations = newer
                })
            await cut?.close()
            let new = try Store.open(folder.settings { $0.migrations = newer })
            #expect(try await new.load("a") != nil)
            await new.close()
            let database = try SQLiteDatabase(path: folder.files.path)
            #expect(try database.integer("PRAGMA user_version") == Int64(newer.count))
            #expect(try database.text("SELECT note FROM sessions") == "old")
        }
    }

    @Test func aFolderThatCannotBeMadeIsSaid() throws {
        #expect(throws: StoreError.self) { try Store.open(StoreSettings(folder: "/proc/nowhere/data")) }
    }

    /// A file system of 1 MiB that fills up; skipped where none can be mounted.
    @Test func aDiskThatIsReallyFullTakesWritesAgainWhenThereIsRoom() async throws {
        let folder = DataFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        guard run("/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.path) else {
            print("skipped: no file system can be mounted here")
            return
        }
        defer { _ = run("/bin/umount", "-l", folder.path) }
        let notices = Notices()
        let store = try Store.open(folder.settings(), notices)
        try await store.write([try Sample.flush(1, of: "a")]).get()
        let ballast = folder.path + "/ballast"
        _ = FileManager.default.createFile(atPath: ballast, contents: nil)
        let handle = try #require(FileHandle(forWritingAtPath: ballast))
        while (try? handle.write(contentsOf: Data(repeating: 1, count: 4_096))) != nil {}
        try handle.close()
        let long = String(repeating: "x", count: 40_000)
        let failed = await store.write([try Sample.flush(2, of: "a", answer: long)])
        #expect(throws: StoreError.self) { try failed.get() }
        #expect(store.isDegraded)
        #expect(try await store.load("a")?.turns.count == 1)
        try FileManager.default.removeItem(atPath: ballast)
        try await store.write([try Sample.flush(2, of: "a", answer: long)]).get()
        #expect(!store.isDegraded)
        #expect(try await store.load("a")?.turns.count == 2)
        await store.close()
    }

    private func run(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

extension DataFolder {
    /// A write-ahead log that ends in the middle of a frame opens, too.
    fileprivate func cutLog(_ whole: Data, to count: Int) async throws {
        try whole.prefix(count).write(to: URL(filePath: files.path + "-wal"))
        let opened = try Store.open(settings())
        _ = try? await opened.load("a")
        await opened.close()
    }
}
