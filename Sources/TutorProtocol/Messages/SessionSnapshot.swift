// SessionSnapshot: where a session stands, for a client that missed events which are gone.
// Spec: docs/protocol.md §3 (`session.snapshot`)

/// `session.snapshot`: where a session stands, for a client that missed events which are gone.
///
/// Boxes are normalised; encoding turns them into the client's convention.
public struct SessionSnapshot: Sendable, Hashable {
    /// What of a turn is still shown: rings and open steps.
    public struct Shown: Sendable, Hashable {
        /// Rings that are alive, with the newest box and the time that is left.
        public var highlights: [Highlight]
        /// Steps that are open, with the newest box.
        public var nextActions: [NextAction]

        /// Makes a list of what is shown; nothing by default.
        public init(highlights: [Highlight] = [], nextActions: [NextAction] = []) {
            self.highlights = highlights
            self.nextActions = nextActions
        }

        /// Whether nothing is shown.
        public var isEmpty: Bool { highlights.isEmpty && nextActions.isEmpty }
    }

    /// The turn that runs.
    public struct Running: Sendable, Hashable {
        /// The turn.
        public var turn: TurnID
        /// The ask that it answers.
        public var re: MessageID?
        /// Its text so far; on a later page the text that goes on.
        public var text: String
        /// What it shows.
        public var shown: Shown

        /// Makes a running turn.
        public init(turn: TurnID, re: MessageID?, text: String, shown: Shown = Shown()) {
            self.turn = turn
            self.re = re
            self.text = text
            self.shown = shown
        }
    }

    /// A turn that is over.
    public struct Ended: Sendable, Hashable {
        /// The turn.
        public var turn: TurnID
        /// The ask that it answered.
        public var re: MessageID?
        /// How it ended.
        public var status: TurnEnd.Status
        /// As `turn.end` says it.
        public var reason: String?
        /// What was asked; nil when it is not kept any more.
        public var question: String?
        /// The whole answer.
        public var answer: String
        /// One line about the turn; nil when there is none.
        public var summary: String?
        /// What is still shown of it; nothing but of the newest.
        public var shown: Shown

        /// Makes an ended turn.
        public init(_ end: TurnEnd, question: String?, shown: Shown = Shown()) {
            turn = end.turn
            re = end.re
            status = end.status
            reason = end.reason
            self.question = question
            answer = end.answer
            summary = end.summary
            self.shown = shown
        }
    }

    /// The newest `seq` that the snapshot holds; events go on after it.
    public var lastSeq: Int64
    /// Which page this is, from 1.
    public var part: Int
    /// How many pages there are.
    public var parts: Int
    /// The turn that runs, if any.
    public var running: Running?
    /// The last few turns that are over, oldest first.
    public var turns: [Ended]

    /// Makes a snapshot, by default of one page.
    public init(lastSeq: Int64, part: Int = 1, parts: Int = 1, running: Running?, turns: [Ended]) {
        self.lastSeq = lastSeq
        self.part = part
        self.parts = parts
        self.running = running
        self.turns = turns
    }
}
