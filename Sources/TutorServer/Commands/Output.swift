// Output: standard input and output of the commands.

internal import Glibc

/// Standard input and output of the commands, as bytes.
enum Output {
    static func write(_ text: String) { write([UInt8](text.utf8), to: 1) }

    static func write(_ bytes: [UInt8]) { write(bytes, to: 1) }

    static func writeError(_ text: String) { write([UInt8](text.utf8), to: 2) }

    /// Calls `body` with each line of standard input, without its line feed.
    ///
    /// - Throws: ``UsageError`` for a line over ``lineLimit`` bytes, and what `body` throws.
    static func forEachLine(_ body: ([UInt8]) throws -> Void) throws {
        var pending: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 262_144)
        while true {
            let count = read(0, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var start = 0
            for index in 0..<count where buffer[index] == UInt8(ascii: "\n") {
                pending += buffer[start..<index]
                try body(pending)
                pending.removeAll(keepingCapacity: true)
                start = index + 1
            }
            pending += buffer[start..<count]
            guard pending.count <= lineLimit else { throw UsageError("a line of input is over \(lineLimit) bytes") }
        }
        if !pending.isEmpty { try body(pending) }
    }

    /// The contents of a file.
    static func contents(_ path: String) throws(ConfigurationError) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw .file(path: path, reason: String(cString: strerror(errno))) }
        defer { fclose(file) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { break }
            all += buffer[..<count]
            guard all.count <= lineLimit else { throw .file(path: path, reason: "over \(lineLimit) bytes") }
        }
        guard ferror(file) == 0 else { throw .file(path: path, reason: "reading failed") }
        return all
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            if count > 0 { sent += count } else if count == 0 || errno != EINTR { return }
        }
    }

    /// Longest line and longest file.
    ///
    /// 16 MiB.
    static let lineLimit = 16_777_216
}
