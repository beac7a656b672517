// ContractPage: docs/protocol.md, taken apart into tables and examples.
// Spec: docs/protocol.md

import Foundation
import Testing

/// The published contract, read from its file.
struct ContractPage {
    enum Speaker: Character {
        case client = ">"
        /// The client, with a message that the server refuses.
        case refusedClient = "!"
        case server = "<"
    }

    /// One message on the page.
    struct Example: CustomTestStringConvertible {
        var speaker: Speaker
        var line: Int
        var text: String

        var bytes: [UInt8] { Array(text.utf8) }
        var testDescription: String { "line \(line): \(text)" }
    }

    let text: String
    let lines: [Substring]

    init() throws {
        // Codes, TutorProtocolTests, Tests, and then the root.
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        text = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
        lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The cells of the table under this header, without the marks around code.
    func table(_ header: String) -> [[String]] {
        guard let start = lines.firstIndex(of: Substring(header)) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map { cell in
                cell.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
            }
        }
    }

    /// Every message in an indented block; one that goes on in the next line stands further in there.
    var examples: [Example] {
        var found: [Example] = []
        var indent: Int?
        for (number, line) in lines.enumerated() {
            let content = line.drop { $0 == " " }
            let depth = line.count - content.count
            if depth >= 4, content.dropFirst().hasPrefix(" {"), let speaker = content.first.flatMap(Speaker.init) {
                found.append(Example(speaker: speaker, line: number + 1, text: String(content.dropFirst(2))))
                indent = depth
            } else if let marker = indent, depth > marker, !content.isEmpty {
                found[found.count - 1].text += content
            } else {
                indent = nil
            }
        }
        return found
    }

    /// The examples of one speaker.
    static func examples(_ speaker: Speaker) throws -> [Example] {
        try ContractPage().examples.filter { $0.speaker == speaker }
    }
}
