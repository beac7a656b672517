// ResumeKeys: the secrets that clients resume their sessions with, derived instead of stored.
// Spec: docs/protocol.md §3 (key); RFC 2104

internal import COpenSSL

/// The secrets that clients resume their sessions with, derived instead of stored.
///
/// A key is `k_`, its generation, a dot and the HMAC-SHA256 of session and generation under a secret of the server. Whoever
/// has the store but not the secret cannot make one. Any thread.
struct ResumeKeys: Sendable {
    private let secret: [UInt8]

    /// Makes the keys of a secret of 32 bytes.
    init(secret: [UInt8]) { self.secret = secret }

    /// The key of a session's generation.
    func key(session: String, generation: Int64) -> String {
        let digits = Array("0123456789abcdef".utf8)
        let code = code(session, generation).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return "k_\(generation)." + String(decoding: code, as: UTF8.self)
    }

    /// The generation of a key that this server made for a session; nil for any other text.
    ///
    /// Takes as long whatever is wrong with the code.
    func generation(of key: String, session: String) -> Int64? {
        guard key.utf8.count <= Self.longest, key.hasPrefix("k_"), let dot = key.utf8.firstIndex(of: UInt8(ascii: "."))
        else { return nil }
        let number = key[key.index(key.startIndex, offsetBy: 2)..<dot]
        guard let generation = Int64(number), generation >= 0, String(generation) == number else { return nil }
        let right = Array(self.key(session: session, generation: generation).utf8)
        let shown = Array(key.utf8)
        guard right.count == shown.count, CRYPTO_memcmp(right, shown, right.count) == 0 else { return nil }
        return generation
    }

    private func code(_ session: String, _ generation: Int64) -> [UInt8] {
        // The name's length keeps the two apart.
        let text = Array("resume \(session.utf8.count) \(session) \(generation)".utf8)
        var code = [UInt8](repeating: 0, count: 32)
        var count: UInt32 = 32
        HMAC(EVP_sha256(), secret, Int32(secret.count), text, text.count, &code, &count)
        return code
    }

    /// Longest key that is looked at: the prefix, 19 digits, the dot and 64 digits.
    private static let longest = 86
}
