// StaticFilesTests: what of a folder is served.

import Foundation
import Testing
import TutorServer
import WireCore

@Suite("Static files")
struct StaticFilesTests {
    /// A folder that is removed when the test is over.
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "chalkline-\(UUID().uuidString)").path()

        init(_ files: [String: Int]) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for (name, count) in files {
                try Data(count: count).write(to: URL(filePath: path).appending(path: name))
            }
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    @Test func filesThatBeginWithADotAreLeftOut() throws {
        let folder = try Folder(["index.html": 3, "a.js": 3, ".secret": 3])
        #expect(try StaticFiles(folder: folder.path).paths == ["/", "/a.js", "/index.html"])
    }

    @Test func fileThatASlowReaderWouldGetCutIsRefusedAtStart() throws {
        let largest = try Folder(["a.js": 524_288])
        #expect(try StaticFiles(folder: largest.path).paths == ["/a.js"])
        let larger = try Folder(["a.js": 524_289])
        #expect(throws: StaticFiles.Fault.fileTooLarge(path: larger.path + "/a.js", limit: 524_288)) {
            try StaticFiles(folder: larger.path)
        }
    }
}
