// AcceptedAsk: an ask that will get its turn.
// Spec: docs/protocol.md §5 rules 1, 3, 5 and 11

import TutorProtocol

/// An ask that will get its turn: one start and one end, whatever comes between.
struct AcceptedAsk: Sendable, Hashable {
    /// Its name, and the key under which it never runs twice.
    var id: MessageID
    /// Its content in 16 bytes.
    var digest: AskDigest
    /// What the student asks; for the next hint, what the earlier turn was about.
    var question: String
    /// Why there is a turn.
    var cause: TurnStart.Cause
    /// The language that was asked for.
    var language: String?
    /// The hint level that was asked for.
    var hintLevel: Int
    /// Where the student's attention is, in the client's convention.
    var focus: Focus?
    /// The screen it is about; nil for the newest.
    var revision: Int64?
    /// When it came.
    var askedAt: Duration
}
