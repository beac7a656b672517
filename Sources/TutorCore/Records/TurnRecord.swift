// TurnRecord: what is kept on disk of a turn beside its events.
// Spec: docs/reliability.md (what is kept), docs/protocol.md §5 rules 3 and 11

public import TutorProtocol

/// What is kept on disk of a turn beside its events: enough to know its ask again, to give the next hint and to
/// remember what it was about.
///
/// Written when the turn begins and again when it ends.
public struct TurnRecord: Sendable, Hashable {
    /// The turn's number within the session.
    public var turn: TurnID
    /// The ask that it answers.
    public var ask: MessageID
    /// The ask's content in 16 bytes.
    public var digest: AskDigest
    /// What was asked.
    public var question: String
    /// Why there is a turn.
    public var cause: TurnStart.Cause
    /// The language that was asked for, if any.
    public var language: String?
    /// The granted hint level.
    public var hintLevel: Int
    /// The `seq` of its `turn.start`.
    public var startSeq: Int64
    /// When it was asked, in milliseconds since 1970.
    public var askedAt: Int64
    /// How it ended; nil while it runs.
    public var ending: Ending?

    /// How a turn ended.
    public struct Ending: Sendable, Hashable {
        /// The `seq` of its `turn.end`.
        public var seq: Int64
        /// As `turn.end` says it.
        public var status: TurnEnd.Status
        /// As `turn.end` says it.
        public var reason: String?
        /// One line about the turn, for the prompts of later ones.
        public var summary: String?

        /// Makes an ending.
        public init(seq: Int64, status: TurnEnd.Status, reason: String?, summary: String?) {
            self.seq = seq
            self.status = status
            self.reason = reason
            self.summary = summary
        }
    }

    /// Makes a record.
    public init(
        turn: TurnID, ask: MessageID, digest: AskDigest, question: String, cause: TurnStart.Cause, language: String?,
        hintLevel: Int, startSeq: Int64, askedAt: Int64, ending: Ending? = nil
    ) {
        self.turn = turn
        self.ask = ask
        self.digest = digest
        self.question = question
        self.cause = cause
        self.language = language
        self.hintLevel = hintLevel
        self.startSeq = startSeq
        self.askedAt = askedAt
        self.ending = ending
    }
}
