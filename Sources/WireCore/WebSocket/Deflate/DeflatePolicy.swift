// DeflatePolicy: how a server compresses, and what it asks of clients.
// Spec: RFC 7692 §7; docs/compression.md says why each default is what it is

/// How a server compresses, and what it asks of clients.
///
/// Values outside a range are moved to its nearer end.
public struct DeflatePolicy: Sendable, Hashable {
    /// Window of the server's encoders, as a power of two in bytes.
    ///
    /// 9 to 15, default 13: with `memoryLevel` 3 an encoder takes 43 KB instead of the 268 KB of zlib's own default
    /// and keeps most of the ratio.
    ///
    /// A client may ask for less; 8 cannot be had, since zlib's raw encoder refuses it.
    public var serverWindowBits = 13

    /// zlib's `memLevel` of the server's encoders.
    ///
    /// 1 to 9, default 3: what it saves goes into the window, which does more for small messages.
    public var memoryLevel = 3

    /// zlib's compression level.
    ///
    /// 1 to 9, default 9: within so small a window the longest search costs little more than a short one.
    public var level = 9

    /// Whether an encoder remembers earlier messages of its connection.
    ///
    /// Default true: token events shrink seven to nine times with, and by a tenth without.
    public var keepsServerContext = true

    /// Shortest message that is compressed with the memory of earlier ones, in bytes.
    ///
    /// Default 32: below, the frame's own bytes are most of what is left.
    public var threshold = 32

    /// Shortest message that is compressed without such memory, in bytes.
    ///
    /// Default 256: a shorter one hardly repeats itself.
    public var freshThreshold = 256

    /// Largest window that a client may use, told to clients that let themselves be told.
    ///
    /// 9 to 15, default 15: the one inflater of a shard is too small a cost to worsen what clients send.
    public var clientWindowBits = 15

    /// Whether a client's encoder may remember earlier messages.
    ///
    /// Default false: one inflater serves a whole shard.
    ///
    /// When true every client that compresses holds up to 40 KB here until its end, because its next message may refer
    /// back to any earlier one.
    public var keepsClientContext = false

    /// How long a connection's encoder may be unused before it is freed.
    ///
    /// Default 20 s.
    public var idleTime: Duration = .seconds(20)

    /// Most bytes that the encoders of one shard hold; inflaters of kept contexts count too, but are never refused.
    ///
    /// Default 128 MiB, some 3 100 encoders; a connection that would need more compresses without memory of earlier
    /// messages.
    public var memoryBytes = 134_217_728

    /// The defaults.
    public init() {}

    /// The windows that zlib's raw encoder can have.
    static let windowBits = 9...15
}

extension Int {
    func clamped(to range: ClosedRange<Int>) -> Int { Swift.min(Swift.max(self, range.lowerBound), range.upperBound) }
}
