// ModelLimits: how much a model client takes on.
// Spec: docs/models.md (limits)

/// How much a model client takes on.
///
/// Each client has its own: a server with two shards runs twice as many calls.
public struct ModelLimits: Sendable, Hashable {
    /// Calls with a connection at once.
    ///
    /// Default 64.
    public var concurrentCalls = 64
    /// Calls that wait for a place.
    ///
    /// Default 256; one more fails with `unavailable` at once.
    public var waitingCalls = 256
    /// Calls that the built-in and the scripted model play at once; they cost no connection.
    ///
    /// Default 10 000.
    public var playedCalls = 10_000
    /// Longest line of an event stream, in bytes.
    ///
    /// Default 64 KiB.
    public var lineBytes = 65_536
    /// Longest event of a stream, and longest answer that is one JSON document, in bytes.
    ///
    /// Default 256 KiB.
    public var eventBytes = 262_144
    /// Longest answer text, in bytes of UTF-8.
    ///
    /// Default 64 KiB; it is cut there and ends as `length`.
    public var answerBytes = 65_536
    /// Longest response body, in bytes.
    ///
    /// Default 32 MiB: a token's chunk takes about 300 bytes, and thoughts count.
    public var bodyBytes = 33_554_432
    /// Longest response head, in bytes.
    ///
    /// Default 64 KiB.
    public var headBytes = 65_536
    /// Bytes kept of an error's body.
    ///
    /// Default 64 KiB.
    public var errorBytes = 65_536
    /// Deepest nesting of a chunk.
    ///
    /// Default 32.
    public var jsonDepth = 32
    /// Longest pause that an endpoint may ask for.
    ///
    /// Default 20 s; a longer one is cut to it.
    public var longestRetry: Duration = .seconds(20)

    /// The defaults.
    public init() {}
}
