// SessionConfiguration: the settings and bounds of a session.
// Spec: docs/protocol.md §3, §5, §11

public import TutorProtocol

/// The settings and bounds of a session, the same for all sessions of a server.
public struct SessionConfiguration: Sendable, Hashable {
    /// The bounds that a client can meet.
    public var limits = Limits()
    /// The model's name as `turn.start` says it.
    public var modelName = "builtin"
    /// Tokens of the prompt that the screen may take.
    ///
    /// Default 250: holds nearly all elements that an answer needs.
    public var screenBudget = 250
    /// Most tokens of an answer.
    ///
    /// Default 1 024: a long explanation with some to spare.
    public var maximumOutputTokens = 1_024
    /// How long a ring lives.
    ///
    /// Default 15 s: long enough to read the paragraph around it.
    public var highlightLifetime: Duration = .seconds(15)
    /// Whether every shown element may be pointed at, not only those in the prompt's rows.
    ///
    /// Default true, for the built-in tutor, which reads the whole lesson; a model knows only the rows.
    public var pointsAnywhere = true
    /// Highest hint level that the server grants, 0 to 4.
    ///
    /// Default 4: no rule of the operator.
    public var maximumHintLevel = 4
    /// How long a running turn goes on after its connection dropped.
    ///
    /// Default 20 s: a page reload, a lift.
    public var grace: Duration = .seconds(20)
    /// How long a session without a connection is kept after that.
    ///
    /// Default 15 minutes; zero frees it at once.
    public var retention: Duration = .seconds(900)
    /// How long an ask waits for the screen that it is about.
    ///
    /// Default 2 s.
    public var snapshotWait: Duration = .seconds(2)
    /// How long an ask's id is remembered.
    ///
    /// Default 10 minutes.
    public var askMemory: Duration = .seconds(600)
    /// Most ids of cancelled asks that have not come yet.
    ///
    /// Default 64.
    public var deadAsks = 64
    /// Most bytes of answers kept for asks whose events left the log.
    ///
    /// Default 1 MiB, like the log.
    public var rememberedAnswerBytes = 1_048_576
    /// Most earlier turns whose next hint can be asked for.
    ///
    /// Default 32.
    public var rememberedTurns = 32
    /// Most turns that are over in a `session.snapshot`, newest kept.
    ///
    /// Default 5: what a student can scroll back to without having been there.
    public var snapshotTurns = 5
    /// Most turns whose records wait for the disk, newest kept.
    ///
    /// Default 64: more gather only while the disk takes nothing.
    public var unsavedTurns = 64
    /// Longest answer, and longest stream of one model call, in bytes of UTF-8.
    ///
    /// Default 64 KiB.
    public var answerBytes = 65_536
    /// Most `answer.delta` text sent as one message, in bytes of UTF-8.
    ///
    /// Default 64 KiB: even with every byte escaped it stays below the longest server message.
    public var mergedDeltaBytes = 65_536
    /// Most steps of a turn.
    ///
    /// Default 16: more than that is a chapter and not a next step.
    public var steps = 16
    /// Most entries of `turn.end.dropped`.
    ///
    /// Default 64.
    public var droppedTargets = 64
    /// Most reports of rings that could not be drawn, newest kept.
    ///
    /// Default 32.
    public var missedHighlights = 32

    /// The defaults.
    public init() {}

    /// Most ids of asks that are remembered: all that the rate limit lets through within ``askMemory``, at most 16 384.
    public var rememberedAsks: Int {
        let minutes = min(1_440, max(1, askMemory.components.seconds / 60 + 1))
        let (product, overflow) = max(1, limits.asksPerMinute).multipliedReportingOverflow(by: Int(minutes) + 1)
        return overflow ? 16_384 : min(16_384, product)
    }
}
