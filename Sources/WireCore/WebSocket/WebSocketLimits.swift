// WebSocketLimits: what one peer may make us hold, and for how long.
// Spec: docs/protocol.md §11

/// What one peer may make us hold, and for how long.
///
/// Every limit is checked before memory is taken for it.
public struct WebSocketLimits: Sendable, Hashable {
    /// Longest message, in bytes, over all its fragments.
    ///
    /// Default 256 KiB: one screen of 2 000 elements.
    ///
    /// A longer one closes with 1009 as soon as its length is known, unless ``skippedBytes`` lets it pass.
    public var messageBytes: Int = 256 * 1024

    /// Longest message over the limit that is read past, without being kept, and reported instead of closing.
    ///
    /// Default 0: none.
    public var skippedBytes: Int = 0

    /// Most frames of one message.
    ///
    /// Default 1 024; more closes with 1008.
    ///
    /// Tiny fragments cost far more work than the bytes they carry, so bytes alone do not bound them.
    public var fragments: Int = 1024

    /// Longest time from the first byte of a message to its last.
    ///
    /// Default 30 s; more closes with 1008.
    public var assemblyTime: Duration = .seconds(30)

    /// Control frames in one `controlWindow`.
    ///
    /// Default 30; more closes with 1008.
    public var controlFrames: Int = 30

    /// The time in which spent control frames come back.
    ///
    /// Default 10 s.
    public var controlWindow: Duration = .seconds(10)

    /// How long to wait for the peer's close frame after ours.
    ///
    /// Default 5 s, then the TCP connection is finished.
    public var closeWait: Duration = .seconds(5)

    /// How long to read and discard after shutting down our side, so that the peer sees our close frame and not a
    /// reset.
    ///
    /// Default 2 s.
    public var drainWait: Duration = .seconds(2)

    /// The default limits.
    public init() {}
}
