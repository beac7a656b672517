// ChatDocument: JSON as endpoints send it, read leniently where that is harmless.
// Spec: docs/models.md (rules of the adapter)

import TutorProtocol

/// JSON as endpoints send it.
enum ChatDocument {
    /// Reads a document.
    ///
    /// Bytes that are not UTF-8 become U+FFFD; nil: it is not JSON even so, or passes a limit.
    static func parse(_ bytes: [UInt8], limits: ModelLimits) -> JSONValue? {
        let bounds = JSONLimits(bytes: limits.eventBytes, depth: limits.jsonDepth)
        do throws(JSONError) {
            return try JSONValue.parse(bytes, limits: bounds)
        } catch {
            guard error.reason == .invalidUTF8 else { return nil }
            let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
            var wider = bounds
            // A replaced byte takes three.
            wider.bytes *= 3
            return try? JSONValue.parse(repaired, limits: wider)
        }
    }
}
