// LayeringTests: the arrows between targets, read from the import lines.
// Spec: docs/architecture.md

import Foundation
import Testing

@Suite("Layering")
struct LayeringTests {
    /// What each target may import.
    ///
    /// System modules are listed where they are allowed: a core has none.
    static let allowed: [String: Set<String>] = [
        "WireCore": ["CZlib"],
        "TutorProtocol": [],
        "ScreenCore": ["TutorProtocol"],
        "TutorCore": ["ScreenCore", "TutorProtocol"],
        "Telemetry": ["Dispatch", "Glibc", "Synchronization"],
        "NetIO": ["CLinux", "COpenSSL", "Dispatch", "Glibc", "Synchronization"],
        "ModelIO": ["CCurl", "Glibc", "TutorCore", "TutorProtocol", "WireCore"],
        "StoreIO": ["CSQLite", "Dispatch", "Glibc", "Synchronization", "TutorCore", "TutorProtocol"],
        "TutorServer": [
            "COpenSSL", "Dispatch", "Glibc", "ModelIO", "NetIO", "ScreenCore", "StoreIO", "Synchronization",
            "Telemetry", "TutorCore", "TutorProtocol", "WireCore",
        ],
        "chalkline": ["TutorServer"],
        "bench": [
            "CLinux", "Dispatch", "Foundation", "Glibc", "ModelIO", "NetIO", "ScreenCore", "Synchronization",
            "Telemetry", "TutorCore", "TutorProtocol", "TutorServer", "WireCore",
        ],
        "fuzz": ["Glibc", "ScreenCore", "TutorCore", "TutorProtocol", "WireCore"],
    ]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func swiftFiles(of target: String) throws -> [URL] {
        let folder = root.appending(path: "Sources/\(target)")
        let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        return names.filter { $0.hasSuffix(".swift") }.map { folder.appending(path: $0) }
    }

    @Test(arguments: allowed.keys.sorted())
    func targetImportsOnlyWhatItMay(target: String) throws {
        let files = try Self.swiftFiles(of: target)
        #expect(!files.isEmpty)
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
                let words = line.split(separator: " ")
                guard let position = words.firstIndex(of: "import"), position <= 2, position + 1 < words.count,
                    words[..<position].allSatisfy({
                        ["public", "internal", "package", "private", "@preconcurrency"].contains($0)
                    })
                else { continue }
                let module = String(words[position + 1])
                #expect(Self.allowed[target]?.contains(module) == true, "\(file.lastPathComponent) imports \(module)")
            }
        }
    }

    @Test func onlyAuthOfTheServerCallsOpenSSL() throws {
        for file in try Self.swiftFiles(of: "TutorServer") where !file.path.contains("/TutorServer/Auth/") {
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!text.contains("import COpenSSL"), "\(file.lastPathComponent)")
        }
    }

    @Test func everyTargetOfTheSourcesStandsInTheTable() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "Sources").path)
        let swift = try folders.filter { try !Self.swiftFiles(of: $0).isEmpty }
        #expect(Set(swift) == Set(Self.allowed.keys))
    }

    @Test func architecturePageNamesEveryTarget() throws {
        let page = try String(contentsOf: Self.root.appending(path: "docs/architecture.md"), encoding: .utf8)
        for target in Self.allowed.keys { #expect(page.contains("| `\(target)` |"), "\(target) is not in the table") }
    }

    @Test func systemTargetsHoldAModuleMapAndAShimOnly() throws {
        for target in ["CCurl", "CLinux", "COpenSSL", "CSQLite", "CZlib"] {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: Self.root.appending(path: "Sources/\(target)").path)
            #expect(Set(names) == ["module.modulemap", "shim.h"])
        }
    }
}
