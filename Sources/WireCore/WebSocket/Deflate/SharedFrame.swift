// SharedFrame: one message, encoded once for many connections.
// Spec: RFC 7692 §7.2.1; docs/compression.md

/// One message, encoded once for many connections, with and without compression.
///
/// Made by `DeflatePool.sharedFrame`; each connection sends the form that it can.
public struct SharedFrame: Sendable {
    /// The whole frame, not compressed.
    public let plain: [UInt8]

    /// The whole frame, compressed without memory of earlier messages; nil when that does not pay.
    public internal(set) var compressed: [UInt8]?

    /// The window that reading `compressed` needs.
    var windowBits: Int
}
