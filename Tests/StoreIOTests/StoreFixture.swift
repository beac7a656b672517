// StoreFixture: a data folder, and records to put into it.
// Spec: docs/reliability.md

import Foundation
import StoreIO
import Synchronization
import Testing
import TutorCore
import TutorProtocol

/// A data folder of its own that goes away with the value.
final class DataFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "chalkline-store-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var files: StoreFiles { StoreFiles(folder: path) }

    /// Settings for this folder: nothing happens by itself within a test unless it says so.
    func settings(_ change: (inout StoreSettings) -> Void = { _ in }) -> StoreSettings {
        var settings = StoreSettings(folder: path)
        settings.retentionDays = 0
        settings.probeMilliseconds = 3_600_000
        settings.idleMilliseconds = 3_600_000
        // However slow the machine is, no second one is due.
        settings.noticeMilliseconds = 3_600_000
        change(&settings)
        return settings
    }
}

/// What the store told the operator.
final class Notices: Sendable {
    private let list = Mutex<[StoreNotice]>([])

    var all: [StoreNotice] { list.withLock { $0 } }
    var kinds: [StoreNotice.Kind] { all.map(\.kind) }

    func add(_ notice: StoreNotice) { list.withLock { $0.append(notice) } }
}

extension Store {
    /// Opens a store whose notices are kept.
    static func open(_ settings: StoreSettings, _ notices: Notices = Notices()) throws -> Store {
        try open(settings, log: { notices.add($0) })
    }

    func write(_ group: [SessionWrite]) async -> Result<Void, StoreError> {
        await withCheckedContinuation { waiting in write(group) { waiting.resume(returning: $0) } }
    }

    func load(_ id: String, _ limits: StoreReadLimits = StoreReadLimits()) async throws -> StoredSession? {
        try await withCheckedContinuation { waiting in
            load(id, limits: limits) { waiting.resume(returning: $0) }
        }.get()
    }

    func forget(session: String) async -> Result<Void, StoreError> {
        await withCheckedContinuation { waiting in forget(session: session) { waiting.resume(returning: $0) } }
    }

    func forget(subject: String) async -> Result<Void, StoreError> {
        await withCheckedContinuation { waiting in forget(subject: subject) { waiting.resume(returning: $0) } }
    }

    func export(subject: String) async throws -> JSONValue {
        let bytes = try await withCheckedContinuation { waiting in
            export(subject: subject) { waiting.resume(returning: $0) }
        }.get()
        return try JSONValue.parse(bytes, limits: JSONLimits(bytes: 1 << 25, values: 1 << 22))
    }

    func retain() async -> Result<Void, StoreError> {
        await withCheckedContinuation { waiting in retain { waiting.resume(returning: $0) } }
    }

    func addFeedback(session: String, turn: TurnID, value: Int, text: String?) async -> Result<Void, StoreError> {
        await withCheckedContinuation { waiting in
            addFeedback(session: session, turn: turn, value: value, text: text, at: 5) { waiting.resume(returning: $0) }
        }
    }

    func close() async {
        await withCheckedContinuation { (waiting: CheckedContinuation<Void, Never>) in close { waiting.resume() } }
    }
}

/// Records that look like a session's.
enum Sample {
    static func session(
        _ id: String, subject: String? = nil, turn: Int = 1, seq: Int64, touched: Int64 = 1_000
    ) -> SessionRecord {
        SessionRecord(
            id: id, subject: subject, room: subject == nil ? nil : "K7Q2MN",
            epochs: [.init(name: "e1", end: 41), .init(name: "e2", end: nil)], keyGeneration: 3, lastTurn: turn,
            lastSeq: seq, hintCeiling: 2, createdAt: 500, touchedAt: touched)
    }

    static func turn(_ number: Int, question: String = "Why?", start: Int64, end: Int64? = nil) throws -> TurnRecord {
        TurnRecord(
            turn: TurnID(number), ask: try #require(MessageID("c\(number)")),
            digest: AskDigest(first: .max - 1, second: 7), question: question, cause: .ask,
            language: number.isMultiple(of: 2) ? "de" : nil, hintLevel: 2, startSeq: start, askedAt: 900,
            ending: end.map { TurnRecord.Ending(seq: $0, status: .done, reason: nil, summary: "about fractions") })
    }

    static func delta(_ text: String, turn: Int = 1, from first: Int64, to last: Int64) -> SessionWrite.Entry {
        SessionWrite.Entry(
            firstSeq: first,
            event: LoggedEvent(seq: last, event: .answerDelta(AnswerDelta(turn: TurnID(turn), text: text))))
    }

    static func start(turn: Int, seq: Int64) -> SessionWrite.Entry {
        let start = TurnStart(
            turn: TurnID(turn), cause: .ask, re: MessageID("c\(turn)"), revision: 4, model: "m", hintLevel: 2,
            context: .init(elements: 3, leftOut: ["far": 1]))
        return SessionWrite.Entry(firstSeq: seq, event: LoggedEvent(seq: seq, event: .turnStart(start)))
    }

    static func end(turn: Int, seq: Int64, answer: String) -> SessionWrite.Entry {
        let end = TurnEnd(
            turn: TurnID(turn), re: MessageID("c\(turn)"), status: .done, reason: nil, answer: answer, summary: "s",
            dropped: [], usage: nil, firstTextMilliseconds: 5, durationMilliseconds: 9)
        return SessionWrite.Entry(firstSeq: seq, event: LoggedEvent(seq: seq, event: .turnEnd(end)))
    }

    /// The n-th flush of a session: one whole turn, seven numbers.
    static func flush(
        _ number: Int, of id: String, subject: String? = nil, question: String = "Why?", answer: String = "So.",
        touched: Int64 = 1_000
    ) throws -> SessionWrite {
        let first = Int64(number - 1) * 7 + 1
        return SessionWrite(
            session: session(id, subject: subject, turn: number, seq: first + 6, touched: touched),
            turns: [try turn(number, question: question, start: first, end: first + 6)],
            events: [
                start(turn: number, seq: first), delta(answer, turn: number, from: first + 1, to: first + 5),
                end(turn: number, seq: first + 6, answer: answer),
            ])
    }
}
