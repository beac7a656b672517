// MessageCode: HMAC-SHA256, and the comparison that goes with it.
// Spec: RFC 2104; docs/auth.md

internal import COpenSSL

/// HMAC-SHA256 over OpenSSL.
///
/// Any thread.
enum MessageCode {
    /// Bytes of a code.
    static let byteCount = 32

    /// The code of a message under a secret.
    static func sha256(_ message: [UInt8], secret: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: byteCount)
        var count: UInt32 = 0
        // Without a key OpenSSL would take that of an earlier call; an empty one needs an address of its own.
        let key = secret.isEmpty ? [0] : secret
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil,
            count == byteCount
        else { preconditionFailure("HMAC-SHA256 has no other failure than memory that is out") }
        return code
    }

    /// Whether two texts or codes are the same, in a time that depends on their lengths only.
    static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
