// Limits: every bound of the protocol that a client can meet, with its default.
// Spec: docs/protocol.md §11 (`welcome.limits`)

/// Every bound of the protocol that a client can meet.
///
/// All are settings, and all stand in `welcome.limits`.
public struct Limits: Sendable, Hashable {
    /// Longest client message, in bytes.
    ///
    /// Default 256 KiB: a screen of 2 000 elements with short texts fits.
    public var clientMessageBytes = 262_144
    /// Longest server message, in bytes.
    ///
    /// Default 512 KiB: some phones refuse more than 1 MiB.
    public var serverMessageBytes = 524_288
    /// Most elements on a screen.
    ///
    /// Default 2 000.
    public var elements = 2_000
    /// Longest `content` of an element, and each other text of it, in bytes of UTF-8.
    ///
    /// Default 2 000.
    public var contentBytes = 2_000
    /// Longest address of a page, in bytes.
    ///
    /// Default 8 KiB: what browsers and servers commonly pass on.
    public var urlBytes = 8_192
    /// Deepest nesting of JSON.
    ///
    /// Default 16.
    public var jsonDepth = 16
    /// Most keys of one JSON object.
    ///
    /// Default 64.
    public var objectKeys = 64
    /// Longest question, in bytes of UTF-8.
    ///
    /// Default 8 KiB.
    public var questionBytes = 8_192
    /// Most operations of one delta.
    ///
    /// Default 500.
    public var deltaOperations = 500
    /// Deltas a second, on average.
    ///
    /// Default 20.
    public var deltasPerSecond = 20
    /// Deltas in one burst.
    ///
    /// Default 40.
    public var deltaBurst = 40
    /// Questions a minute.
    ///
    /// Default 20.
    public var asksPerMinute = 20
    /// Most logged events of a session.
    ///
    /// Default 2 000.
    public var logEvents = 2_000
    /// Most bytes of logged text of a session.
    ///
    /// Default 1 MiB.
    public var logBytes = 1_048_576
    /// Most highlights alive at once.
    ///
    /// Default 8: more than that points at nothing.
    public var highlights = 8
    /// Longest client message id, in bytes.
    ///
    /// Default 64.
    public var messageIDBytes = 64

    /// The protocol's defaults.
    public init() {}
}
