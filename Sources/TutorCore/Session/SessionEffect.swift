// SessionEffect: what a session wants done.
// Spec: docs/session.md (effects)

public import TutorProtocol

/// What a session wants done.
///
/// A host carries effects out in the order in which they come.
public enum SessionEffect: Sendable, Hashable {
    /// The event is in the log now: send it, store it. A host whose connections read the log by a cursor only needs to
    /// know that there is something new.
    case append(LoggedEvent)
    /// Abort the call; nothing that it still says counts.
    case cancelModel(ModelCallID)
    /// Forget the timer.
    case cancelTimer(SessionTimer)
    /// The session is over: free it.
    case expire
    /// Keep what a student thinks of a turn, then answer `ok` to the message.
    case feedback(TurnID, value: Int, text: String?, re: MessageID?)
    /// From now on send every event after this `seq`, which the connection has; comes after the `welcome` and the
    /// `session.snapshot`.
    case follow(after: Int64)
    /// Erase what is stored of the session, or of all sessions of its subject, then answer `ok` to the message.
    case forget(all: Bool, re: MessageID?)
    /// Send these again, unchanged and in this order; the client drops what it already has.
    case resend([EventLog.Merged])
    /// Send a reply or a passing state. It belongs behind every event appended before it.
    case send(ServerMessage)
    /// Fire the timer once after this time.
    case setTimer(SessionTimer, after: Duration)
    /// Ask the model, and bring its events back under this number.
    case startModel(ModelRequest, call: ModelCallID)
}
