// ModelTimeouts: how long each stage of a call may take.
// Spec: docs/models.md (limits)

/// How long each stage of a call may take.
///
/// Past one of them the call fails with `timeout`.
public struct ModelTimeouts: Sendable, Hashable {
    /// From the start of the call to an open connection, name lookup and TLS included.
    ///
    /// Default 5 s.
    public var connect: Duration = .seconds(5)
    /// From the start of the call to the first byte of the response's head.
    ///
    /// Default 15 s.
    public var firstByte: Duration = .seconds(15)
    /// From the start of the call to the first text or thought.
    ///
    /// Default 45 s: a loaded endpoint sends its head at once and the first token much later. Reasoning models that
    /// hide their thoughts need about 120 s.
    public var firstDelta: Duration = .seconds(45)
    /// Between two reads of a running answer, keep-alive comments included.
    ///
    /// Default 20 s.
    public var betweenBytes: Duration = .seconds(20)
    /// From the start of the call to its end.
    ///
    /// Default 180 s.
    public var total: Duration = .seconds(180)
    /// From the reason for the end to the end itself.
    ///
    /// Default 2 s: only the token count still comes, and the call counts as finished without it.
    public var tail: Duration = .seconds(2)
    /// For a free place among ``ModelLimits/concurrentCalls``.
    ///
    /// Default 10 s, then `unavailable`.
    public var queue: Duration = .seconds(10)

    /// The defaults.
    public init() {}
}
