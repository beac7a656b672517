// ChatChunk+Plain: the chunk that nearly every token comes in, read without a tree.
// Spec: docs/models.md (rules of the adapter)

import TutorProtocol

extension ChatChunk {
    /// Largest chunk that is read this way, in bytes.
    ///
    /// 4 KiB: no document of that size can pass a limit that only the tree counts.
    static let plainByteCount = 4_096

    /// Reads a chunk that holds nothing but a piece of text, in one pass that makes no tree.
    ///
    /// A tree of such a chunk costs more than everything else that happens to a token in user space. What this reading
    /// does not know for certain, it leaves to the tree: nil also for faulty JSON.
    static func plain(_ bytes: [UInt8], limits: ModelLimits) -> ChatChunk? {
        guard bytes.count <= plainByteCount, bytes.count <= limits.eventBytes else { return nil }
        let bounds = JSONLimits(bytes: limits.eventBytes, depth: limits.jsonDepth)
        do throws(JSONError) {
            return try JSONReader.read(bytes.span, limits: bounds) { (reader) throws(JSONError) -> ChatChunk? in
                guard let text = try PlainChunk(bytes: bytes).root(&reader) else { return nil }
                try reader.finish()
                var chunk = ChatChunk()
                chunk.text = text
                chunk.hasChoice = true
                return chunk
            }
        } catch {
            return nil
        }
    }
}

/// The walk through a plain chunk; each level gives the text, or nil where the tree must be asked.
private struct PlainChunk {
    let bytes: [UInt8]

    func root(_ reader: inout JSONReader) throws(JSONError) -> String? {
        var text: String?
        try reader.openObject()
        while let key = try reader.nextKey() {
            if equals(key, "choices") {
                try reader.openArray()
                guard try reader.nextElement(), let found = try choice(&reader), try !reader.nextElement() else {
                    return nil
                }
                text = found
            } else if equals(key, "object") {
                // Some servers mark an error by this name only.
                guard equals(try reader.text(), "chat.completion.chunk") else { return nil }
            } else if equals(key, "error") || equals(key, "usage") || equals(key, "x_groq") {
                guard try reader.null() else { return nil }
            } else {
                guard !key.hasEscapes else { return nil }
                try reader.skip()
            }
        }
        return text
    }

    private func choice(_ reader: inout JSONReader) throws(JSONError) -> String? {
        var text: String?
        try reader.openObject()
        while let key = try reader.nextKey() {
            if equals(key, "delta") {
                text = try delta(&reader)
                guard text != nil else { return nil }
            } else if equals(key, "index") {
                guard try reader.integer() == 0 else { return nil }
            } else if equals(key, "finish_reason") || equals(key, "error") || equals(key, "usage") {
                guard try reader.null() else { return nil }
            } else if equals(key, "object") {
                guard !equals(try reader.text(), "error") else { return nil }
            } else {
                guard !key.hasEscapes else { return nil }
                try reader.skip()
            }
        }
        return text
    }

    private func delta(_ reader: inout JSONReader) throws(JSONError) -> String? {
        var text: String?
        try reader.openObject()
        while let key = try reader.nextKey() {
            if equals(key, "content") {
                let content = try reader.text()
                guard content.count > 0 else { return nil }
                text = reader.string(content)
            } else if equals(key, "role") || equals(key, "refusal") || equals(key, "tool_calls") {
                // Next to a text none of them says anything.
                try reader.skip()
            } else {
                // Thoughts under any name.
                guard !key.hasEscapes, try reader.null() else { return nil }
            }
        }
        return text
    }

    private func equals(_ text: JSONText, _ name: StaticString) -> Bool {
        guard !text.hasEscapes, text.count == name.utf8CodeUnitCount else { return false }
        for index in 0..<text.count where bytes[text.start + index] != name.utf8Start[index] { return false }
        return true
    }
}
