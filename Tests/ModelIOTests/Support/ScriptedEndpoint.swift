// ScriptedEndpoint: the scripted endpoint of Tests/endpoint as a process.
// Spec: docs/models.md (the scripted endpoint)

import Foundation
import Glibc
import ModelIO
import TutorProtocol

/// The scripted endpoint of Tests/endpoint as a process, which ends with this object or with the tests.
// Used by the tests of one serialized suite, one after another.
final class ScriptedEndpoint: @unchecked Sendable {
    /// One for all tests; starting a process for each takes longer than the tests.
    static let shared = Result { try ScriptedEndpoint(nil) }

    let port: Int
    private let process = Process()
    private let input = Pipe()

    /// Starts it with a script: a JSON list of answers, or nil for its default answer.
    init(_ script: String?, certificate: String? = nil, key: String? = nil) throws {
        let tests = URL(filePath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        process.executableURL = URL(filePath: "/usr/bin/env")
        var arguments = ["python3", tests.appending(path: "endpoint/endpoint.py").path, "--until-stdin-closes"]
        var scriptFile: URL?
        if let script {
            let file = FileManager.default.temporaryDirectory.appending(path: "script-\(UUID().uuidString).json")
            try Data(script.utf8).write(to: file)
            scriptFile = file
            arguments += ["--script", file.path]
        } else {
            arguments += ["--default"]
        }
        defer { if let scriptFile { try? FileManager.default.removeItem(at: scriptFile) } }
        if let certificate, let key { arguments += ["--cert", certificate, "--key", key] }
        process.arguments = arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(0x0A), let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self).filter(\.isNumber)) else {
            throw Failure.noPort
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.terminate()
        process.waitUntilExit()
    }

    enum Failure: Error {
        case noAnswer
        case noPort
    }

    /// The settings of a client for it.
    var settings: ModelSettings {
        var settings = ModelSettings()
        settings.choice = .openai
        settings.baseURL = "http://127.0.0.1:\(port)/v1"
        settings.name = "scripted"
        return settings
    }

    /// Forgets what it was asked, and plays a script from now on: a JSON list of answers.
    func play(_ script: String) throws {
        _ = try ask("DELETE /_requests HTTP/1.1\r\nHost: t\r\n\r\n")
        let length = script.utf8.count
        _ = try ask("POST /_script HTTP/1.1\r\nHost: t\r\nContent-Length: \(length)\r\n\r\n\(script)")
    }

    /// What it was asked so far.
    func requests() throws -> [JSONValue] {
        let response = try ask("GET /_requests HTTP/1.1\r\nHost: t\r\n\r\n")
        guard let value = try? JSONValue.parse(response, limits: JSONLimits(bytes: 16_777_216, values: 1_000_000))
        else {
            throw Failure.noAnswer
        }
        return value.array ?? []
    }

    /// Waits until its records fulfil a condition.
    ///
    /// Returns whether they did.
    func waits(for limit: Duration, until isFulfilled: ([JSONValue]) -> Bool) throws -> Bool {
        let end = ContinuousClock.now + limit
        while true {
            if isFulfilled(try requests()) { return true }
            if ContinuousClock.now >= end { return false }
            usleep(5_000)
        }
    }

    /// One blocking request on a connection of its own; returns the body.
    private func ask(_ request: String) throws -> [UInt8] {
        let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard fd >= 0 else { throw Failure.noAnswer }
        defer { close(fd) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0, send(fd, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
            throw Failure.noAnswer
        }
        var response: [UInt8] = []
        while true {
            if let body = Self.body(of: response) { return body }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(fd, &buffer, buffer.count, 0)
            guard count > 0 else { throw Failure.noAnswer }
            response += buffer.prefix(count)
        }
    }

    private static func body(of response: [UInt8]) -> [UInt8]? {
        let text = String(decoding: response.prefix(4_096), as: UTF8.self)
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let head = text[..<end.lowerBound]
        let headByteCount = head.utf8.count + 4
        guard let field = head.lowercased().firstRange(of: "content-length: ") else { return nil }
        let digits = head.lowercased()[field.upperBound...].prefix(while: \.isNumber)
        guard let length = Int(digits), response.count >= headByteCount + length else { return nil }
        return Array(response[headByteCount..<headByteCount + length])
    }
}
