// ModelScriptTests: scripts from streams, responses, lines and files.
// Spec: docs/models.md (scripted model)

import Foundation
import ModelIO
import Testing
import TutorCore

struct ModelScriptTests {
    private func bytes(of script: ModelScript) -> [[UInt8]] {
        script.steps.compactMap { if case .bytes(let bytes) = $0 { bytes } else { nil } }
    }

    @Test func cutsAStreamAfterEachEvent() {
        let script = ModelScript(stream: Array("data: a\n\ndata: b\r\n\r\n: c\r\rdata: d".utf8))
        #expect(
            script.steps == ["data: a\n\n", "data: b\r\n\r\n", ": c\r\r", "data: d"].map { .bytes(Array($0.utf8)) })
    }

    @Test func cutsAStreamIntoSizes() {
        let script = ModelScript(stream: Array("abcdefg".utf8), split: .byteCounts([1, 3]), pause: .milliseconds(5))
        #expect(
            script.steps == [
                .pause(.milliseconds(5)), .bytes(Array("a".utf8)), .pause(.milliseconds(5)), .bytes(Array("bcd".utf8)),
                .pause(.milliseconds(5)), .bytes(Array("e".utf8)), .pause(.milliseconds(5)), .bytes(Array("fg".utf8)),
            ])
        #expect(ModelScript(stream: [1, 2], split: .whole).steps == [.bytes([1, 2])])
        #expect(ModelScript(stream: [1, 2], split: .byteCounts([])).steps == [.bytes([1, 2])])
        #expect(ModelScript(stream: [1, 2], split: .byteCounts([0])).steps == [.bytes([1]), .bytes([2])])
    }

    @Test func takesTheChunksOfAResponse() throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        func steps(_ body: String) throws -> [PlaybackStep] {
            try #require(ModelScript(response: Array((head + body).utf8))).steps
        }
        #expect(
            try steps("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n") == [.bytes(Array("abc".utf8)), .bytes(Array("de".utf8))])
        #expect(try steps("3\r\nabc\r\nff\r\nde") == [.bytes(Array("abc".utf8)), .bytes(Array("de".utf8))])
        #expect(try steps("ffffffffffffffff\r\nde") == [])
        #expect(try steps("7fffffffffffffff\r\nde") == [.bytes(Array("de".utf8))])
        #expect(try steps("-1\r\nde") == [])
        #expect(try steps("") == [])
        #expect(ModelScript(response: Array("data: a\n\n".utf8)) == nil)
        #expect(ModelScript(response: Array("HTTP/1.1 200 OK\r\n\r\nabc".utf8))?.steps == [.bytes(Array("abc".utf8))])
    }

    @Test func playsARecordedRefusal() {
        let response = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}"
        #expect(
            ModelScript(response: Array(response.utf8))?.steps == [.event(.failed(.refused(status: 401)))])
    }

    @Test func readsLines() throws {
        let lines = """
            {"reasoning":"hm"}

            {"text":"Look at [[3]]. "}
            {"pause_ms":40}
            {"text":"你好"}
            {"usage":{"prompt_tokens":7,"completion_tokens":2}}
            """
        let script = try ModelScript(lines: Array(lines.utf8))
        #expect(script.steps.contains(.pause(.milliseconds(40))))
        #expect(
            decode(bytes(of: script)) == [
                .reasoning, .text("Look at [[3]]. 你好"), .usage(ModelUsage(input: 7, cached: 0, output: 2)),
                .finished(.stop),
            ])
    }

    @Test(arguments: [
        ("{\"text\":\"a\"}\n{\"finish\":\"length\"}", ModelEvent.finished(.length)),
        ("{\"text\":\"a\"}\n{\"error\":\"no\"}", .failed(.invalid(detail: "no"))),
        ("{\"raw\":\"data: [DO\"}", .failed(.unavailable(detail: "answer ended early"))),
    ])
    func endsAsWritten(lines: String, last: ModelEvent) throws {
        #expect(try decode(bytes(of: ModelScript(lines: Array(lines.utf8)))).last == last)
    }

    @Test(arguments: [
        "{\"text\":1}", "{\"text\":\"a\",\"pause_ms\":1}", "{}", "[]", "oops", "{\"pause_ms\":-1}",
        "{\"pause_ms\":1.5}",
        "{\"shout\":\"a\"}",
    ])
    func namesTheLineThatIsNoStep(line: String) {
        #expect(throws: ScriptLineError(line: 2)) {
            try ModelScript(lines: Array("{\"text\":\"a\"}\n\(line)\n".utf8))
        }
    }

    @Test func readsFilesByTheirEnding() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "scripts-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ content: String) throws -> String {
            let path = folder.appending(path: name).path
            try Data(content.utf8).write(to: URL(filePath: path))
            return path
        }
        #expect(try ModelScript.read(file("a.sse", "data: a\n\n")).steps == [.bytes(Array("data: a\n\n".utf8))])
        #expect(try ModelScript.read(file("a.http", "HTTP/1.1 200 OK\r\n\r\nx")).steps == [.bytes([0x78])])
        #expect(try ModelScript.read(file("a.jsonl", "{\"pause_ms\":1}")).steps.first == .pause(.milliseconds(1)))
        for path in try [
            file("b.http", "data: a"), file("b.jsonl", "x"), file("b.txt", "x"),
            folder.appending(path: "none.sse").path,
            file("big.sse", String(repeating: "x", count: ModelScript.maximumFileBytes + 1)), folder.path + "/",
        ] {
            #expect(throws: ModelSettingsError.self) { try ModelScript.read(path) }
        }
    }
}
