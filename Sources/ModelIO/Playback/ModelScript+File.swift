// ModelScript: reading one from a file.
// Spec: docs/models.md (scripted model)

import Glibc

extension ModelScript {
    /// Reads a script from a file: `.sse`, the body of an event stream; `.http`, a response with its head; `.jsonl`, one
    /// step a line.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - pause: before each piece.
    /// - Returns: the script.
    /// - Throws: ``ModelSettingsError/script(path:reason:)``.
    public static func read(_ path: String, pause: Duration = .zero) throws(ModelSettingsError) -> ModelScript {
        guard let bytes = contents(of: path) else {
            throw .script(path: path, reason: "cannot be read, or is larger than \(maximumFileBytes) bytes")
        }
        if path.hasSuffix(".sse") { return ModelScript(stream: bytes, pause: pause) }
        if path.hasSuffix(".http") {
            guard let script = ModelScript(response: bytes, pause: pause) else {
                throw .script(path: path, reason: "does not begin with the head of an HTTP response")
            }
            return script
        }
        guard path.hasSuffix(".jsonl") else {
            throw .script(path: path, reason: "is neither .sse nor .http nor .jsonl")
        }
        do throws(ScriptLineError) {
            return try ModelScript(lines: bytes, pause: pause)
        } catch {
            throw .script(path: path, reason: "line \(error.line) is no step")
        }
    }

    private static func contents(of path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        while true {
            let added = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
            }
            if added.isEmpty { return bytes }
            guard bytes.count + added.count <= maximumFileBytes else { return nil }
            bytes += added
        }
    }
}
