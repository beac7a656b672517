// ModelClient: what the host needs of any model, and what a model asks of its host.
// Spec: docs/models.md

public import TutorCore

/// A model that answers requests in pieces.
///
/// Confined to one shard: every call comes from it, and nothing of a client is shared. A client has no thread and no
/// loop of its own; it asks its host for sockets and one timer by ``HostRequest`` values, and works when it is called
/// back. The handler given at its making is called only from inside ``socketReady(fd:readable:writable:hasError:)`` and
/// ``timerFired()``, never from ``start(_:token:)`` or ``cancel(token:)``; it may itself start and cancel calls.
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
