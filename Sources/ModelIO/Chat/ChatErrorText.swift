// ChatErrorText: an endpoint's own words about an error, made fit for a log line.
// Spec: docs/models.md (rules of the adapter)

import TutorCore
import TutorProtocol

/// An endpoint's own words about an error, made fit for a log line.
///
/// Never shown to a client.
enum ChatErrorText {
    /// Longest text that is kept, in bytes of UTF-8.
    ///
    /// 200: a sentence.
    static let byteCount = 200

    /// Drops control characters and cuts the text.
    static func clean(_ text: String) -> String {
        var result = ""
        var count = 0
        for character in text {
            let isPlain = character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
            let kept = isPlain ? character : " "
            count += kept.utf8.count
            if count > byteCount { break }
            result.append(kept)
        }
        return result
    }

    /// The message of an error's body, if it is JSON and has one.
    static func message(in body: [UInt8], limits: ModelLimits) -> String? {
        guard let value = ChatDocument.parse(body, limits: limits) else { return nil }
        return message(in: value["error"] ?? value).map(clean)
    }

    /// The message of an error object or an error text.
    static func message(in error: JSONValue) -> String? {
        error.string ?? error["message"]?.string ?? error["detail"]?.string ?? error["error"]?.string
    }

    /// What an error inside a good response means.
    ///
    /// Its own number counts like a status, else the words of its type.
    static func error(in value: JSONValue) -> ModelError {
        let detail = clean(message(in: value) ?? "error without a message")
        if let status = value["code"]?.int ?? value["status"]?.int, (400...599).contains(status) {
            switch ChatRefusal.meaning(of: status) {
            case .busy: return .rateLimited(retryMilliseconds: nil)
            case .down: return .unavailable(detail: detail)
            case .refused: return .invalid(detail: detail)
            }
        }
        let kind = ((value["type"]?.string ?? "") + " " + (value["code"]?.string ?? "")).lowercased()
        for (word, meaning) in words where kind.contains(word) {
            return meaning == .busy ? .rateLimited(retryMilliseconds: nil) : .unavailable(detail: detail)
        }
        return .invalid(detail: detail)
    }

    private static let words: [(word: String, meaning: ChatRefusal.Meaning)] = [
        ("rate_limit", .busy), ("overloaded", .down), ("unavailable", .down), ("server_error", .down),
        ("timeout", .down),
    ]
}
