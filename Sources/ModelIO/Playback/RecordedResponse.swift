// RecordedResponse: an HTTP response as it was read from a socket.
// Spec: RFC 9112 §6 and §7.1

/// An HTTP response as it was read from a socket and saved, cut or whole.
package struct RecordedResponse: Sendable, Hashable {
    /// The status.
    package let status: Int
    /// The body without its framing; one piece for each chunk.
    package let pieces: [[UInt8]]

    /// Reads a recording; nil: it does not begin with a head of HTTP/1.
    package init?(_ bytes: [UInt8]) {
        let blankLine: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]
        guard let end = Self.firstIndex(of: blankLine, in: bytes, from: 0) else { return nil }
        // Split on bytes: in a Swift String CR LF is one character.
        let lines = bytes[..<end].split(separator: 0x0A).map { line in
            String(decoding: line.filter { $0 != 0x0D }, as: UTF8.self).lowercased()
        }
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0].hasPrefix("http/1."), let status = Int(words[1]) else { return nil }
        self.status = status
        let body = Array(bytes[(end + blankLine.count)...])
        let isChunked = lines.contains { $0.hasPrefix("transfer-encoding:") && $0.hasSuffix("chunked") }
        pieces = isChunked ? Self.chunks(of: body) : (body.isEmpty ? [] : [body])
    }

    private static func chunks(of body: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while let end = firstIndex(of: [0x0D, 0x0A], in: body, from: start) {
            let digits = body[start..<end].prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size > 0 else { break }
            let from = end + 2
            // A recording that breaks off ends with what came.
            let (to, isTooBig) = from.addingReportingOverflow(size)
            guard !isTooBig, to <= body.count else {
                if from < body.count { pieces.append(Array(body[from...])) }
                break
            }
            pieces.append(Array(body[from..<to]))
            start = to + 2
            if start > body.count { break }
        }
        return pieces
    }

    private static func firstIndex(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + pattern.count <= bytes.count {
            if bytes[index] == pattern[0], bytes[index..<index + pattern.count].elementsEqual(pattern) { return index }
            index += 1
        }
        return nil
    }
}
