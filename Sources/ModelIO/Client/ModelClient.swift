// ModelClient: what the host needs of any model, and what a model asks of its host.
// Spec: docs/models.md

public import TutorCore

/// A model that answers requests in pieces.
///
/// Confined to one shard: every call comes from it, and nothing of a client is shared. A client has no thread and no
/// loop of its own; it asks its host for sockets and one timer by ``HostRequest`` values, and works when it is called
/// back. The handler given at its making is called only from inside ``socketReady(fd:readable:writable:hasError:)`` and
/// ``timerFired()``, never from ``start(_:token:)``, ``cancel(token:)``, ``pause(token:)`` or ``resume(token:)``; it may
/// itself start, cancel, pause and resume calls.
public protocol ModelClient: AnyObject {
    /// Starts a call. Its events come to the handler with `token`, and end with `finished` or `failed`.
    ///
    /// - Parameters:
    ///   - request: the prompt and its structured form.
    ///   - token: the host's name for the call, never used before in this client's life.
    func start(_ request: ModelRequest, token: UInt64)

    /// Ends a call: its connection is closed before this returns, and no event follows. Unknown and ended tokens are
    /// ignored, so it may be called twice.
    func cancel(token: UInt64)

    /// Holds a call back: no event of it comes until it is resumed or cancelled.
    ///
    /// Its endpoint is read no further than one read of its socket, so that it feels the reader's pace. Of its time-outs
    /// only those up to the response's head and the one for the whole call run on; what has ended it meanwhile is told
    /// after ``resume(token:)``. Unknown, ended and paused tokens are ignored.
    func pause(token: UInt64)

    /// Lets a paused call go on; what has gathered comes with the next call of the host, in order.
    ///
    /// Calls that are not paused are ignored.
    func resume(token: UInt64)

    /// Says that a watched socket is ready.
    func socketReady(fd: Int32, readable: Bool, writable: Bool, hasError: Bool)

    /// Says that the time of the last ``HostRequest/timer(after:)`` is over. Too early does no harm.
    func timerFired()

    /// Cancels every call and unwatches every socket. Nothing may be started afterwards.
    func shutDown()
}

/// What a model client asks of its host.
///
/// The host's function must only note the wish: it must not call back into the client before it returns.
public enum HostRequest: Sendable, Hashable {
    /// Call ``ModelClient/timerFired()`` once after this time, in place of any earlier wish; nil: not at all.
    case timer(after: Duration?)
    /// Watch a socket no more. It may be closed, and its number used again, as soon as the request returns.
    case unwatch(fd: Int32)
    /// Watch a socket for exactly these, in place of any earlier wish. Level-triggered: an edge would be missed, since
    /// a socket is not always read empty.
    case watch(fd: Int32, readable: Bool, writable: Bool)
}
