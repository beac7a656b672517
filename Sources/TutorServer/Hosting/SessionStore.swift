// SessionStore: what hosting needs of a place where sessions are kept.
// Spec: docs/reliability.md

internal import TutorCore
internal import TutorProtocol

/// What hosting needs of a place where sessions are kept.
///
/// Every call returns at once; `done` comes on a thread of the store's own. Any thread.
protocol SessionStore: Sendable {
    /// Whether it cannot keep anything at the moment.
    var isDegraded: Bool { get }
    /// Writes a group: all of it or nothing.
    func write(_ group: [SessionWrite], done: @escaping @Sendable (_ isWritten: Bool) -> Void)
    /// Reads a session; `success(nil)` when there is none.
    func load(_ id: String, done: @escaping @Sendable (Result<StoredSession?, any Error>) -> Void)
    /// Erases a session.
    func forget(session: String, done: @escaping @Sendable (_ isDone: Bool) -> Void)
    /// Erases everything of a subject.
    func forget(subject: String, done: @escaping @Sendable (_ isDone: Bool) -> Void)
    /// Keeps what a student thought of a turn; `at` in milliseconds since 1970.
    func addFeedback(
        session: String, turn: TurnID, value: Int, text: String?, at: Int64,
        done: @escaping @Sendable (_ isDone: Bool) -> Void)
    /// Finishes what is queued and closes the file.
    func close(done: @escaping @Sendable () -> Void)
}
