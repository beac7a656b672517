// RecordsWriter: writes the export of a subject's records.
// Spec: docs/protocol.md §8

internal import TutorCore
internal import TutorProtocol

/// Writes the export of a subject's records, within a bound.
struct RecordsWriter: Sendable {
    /// Whether something was left out.
    private(set) var isCut = false
    private let limit: Int
    private var bytes: [UInt8] = []
    private var sessions = 0
    private var turns = 0

    /// Bytes that closing takes.
    private static let tailBytes = 32

    init(subject: String, limit: Int) {
        self.limit = limit
        JSONWriter.append(literal: #"{"subject":"#, to: &bytes)
        JSONWriter.append(subject, to: &bytes)
        JSONWriter.append(literal: #","sessions":["#, to: &bytes)
    }

    /// Begins a session; false when it does not fit.
    mutating func open(_ record: SessionRecord) -> Bool {
        let fits = add { [sessions] bytes in
            JSONWriter.append(literal: sessions > 0 ? #",{"session":"# : #"{"session":"#, to: &bytes)
            JSONWriter.append(record.id, to: &bytes)
            if let room = record.room {
                JSONWriter.append(literal: #","room":"#, to: &bytes)
                JSONWriter.append(room, to: &bytes)
            }
            Self.append(#","created_at":"#, record.createdAt, to: &bytes)
            Self.append(#","touched_at":"#, record.touchedAt, to: &bytes)
            JSONWriter.append(literal: #","turns":["#, to: &bytes)
        }
        if fits { sessions += 1 }
        turns = 0
        return fits
    }

    /// Writes a turn; false when it does not fit.
    mutating func add(
        _ turn: TurnRecord, answer: String?, feedback: (value: Int64, text: String?, at: Int64)?
    ) -> Bool {
        let fits = add { [turns] bytes in
            JSONWriter.append(literal: turns > 0 ? #",{"turn":"# : #"{"turn":"#, to: &bytes)
            JSONWriter.append(turn.turn.description, to: &bytes)
            Self.append(#","asked_at":"#, turn.askedAt, to: &bytes)
            Self.append(#","cause":"#, turn.cause.rawValue, to: &bytes)
            Self.append(#","question":"#, turn.question, to: &bytes)
            Self.append(#","language":"#, turn.language, to: &bytes)
            JSONWriter.append(literal: #","hint_level":"#, to: &bytes)
            JSONWriter.append(turn.hintLevel, to: &bytes)
            Self.append(#","status":"#, turn.ending?.status.rawValue, to: &bytes)
            Self.append(#","reason":"#, turn.ending?.reason, to: &bytes)
            Self.append(#","answer":"#, answer, to: &bytes)
            Self.append(#","summary":"#, turn.ending?.summary, to: &bytes)
            if let feedback {
                JSONWriter.append(literal: #","feedback":{"value":"#, to: &bytes)
                JSONWriter.append(feedback.value, to: &bytes)
                Self.append(#","text":"#, feedback.text, to: &bytes)
                Self.append(#","given_at":"#, feedback.at, to: &bytes)
                JSONWriter.append(literal: "}", to: &bytes)
            }
            JSONWriter.append(literal: "}", to: &bytes)
        }
        if fits { turns += 1 }
        return fits
    }

    /// Ends a session.
    mutating func closeSession() { JSONWriter.append(literal: "]}", to: &bytes) }

    /// Ends the export.
    mutating func finish() -> [UInt8] {
        JSONWriter.append(literal: isCut ? #"],"cut":true}"# : #"],"cut":false}"#, to: &bytes)
        return bytes
    }

    private mutating func add(_ write: (inout [UInt8]) -> Void) -> Bool {
        let before = bytes.count
        write(&bytes)
        if bytes.count + Self.tailBytes <= limit { return true }
        bytes.removeSubrange(before...)
        isCut = true
        return false
    }

    private static func append(_ key: StaticString, _ text: String?, to bytes: inout [UInt8]) {
        guard let text else { return }
        JSONWriter.append(literal: key, to: &bytes)
        JSONWriter.append(text, to: &bytes)
    }

    private static func append(_ key: StaticString, _ moment: Int64, to bytes: inout [UInt8]) {
        JSONWriter.append(literal: key, to: &bytes)
        JSONWriter.append(literal: "\"", to: &bytes)
        WireTime.append(milliseconds: moment, to: &bytes)
        JSONWriter.append(literal: "\"", to: &bytes)
    }
}
