// TLSFailure: how TLS on one connection failed.
// Source: RFC 8446 §6, RFC 5246 §7.2

/// How TLS on one connection failed.
///
/// The connection is over; where the protocol has an alert for it, the peer was sent one.
public enum TLSFailure: Error, Sendable, Hashable {
    /// The handshake failed; the reason is OpenSSL's, such as `no shared cipher`.
    case handshake(reason: String)
    /// More than ``TLSSession/handshakeLimit`` bytes came and the handshake was not done.
    case handshakeTooLong
    /// What came first is no TLS: an HTTP request, or bytes of no known version.
    case notTLS
    /// The peer refused with a fatal alert, such as 48 for a certificate that it does not trust.
    case refused(alert: UInt8)
    /// A record after the handshake was wrong; the reason is OpenSSL's.
    case record(reason: String)
    /// The stream ended without the peer's `close_notify`: its last bytes may be missing.
    case truncated
}
