// ResumeKeys: the keys that take a session up again.
// Spec: docs/protocol.md §3 (key), docs/auth.md

/// The keys that take a session up again: derived from one secret, so that none is stored.
///
/// A key reads `k_<generation>_<code>`; the code is the first 20 bytes of HMAC-SHA256 over the session's name, a zero byte
/// and the generation, as Base64URL. Which generations are still good is the session's to say. Any thread.
struct ResumeKeys: Sendable {
    private let secret: [UInt8]

    /// Keys of a secret: 32 random bytes, the same for as long as its sessions shall be found.
    init(secret: [UInt8]) {
        self.secret = secret
    }

    /// The key of a session's generation.
    func key(session: String, generation: Int64) -> String {
        let number = String(generation)
        let code = MessageCode.sha256([UInt8](session.utf8) + [0] + [UInt8](number.utf8), secret: secret)
        return "k_\(number)_\(Base64URL.encode(code.prefix(Self.codeBytes)))"
    }

    /// The generation of a key; nil when it is no key of this session.
    ///
    /// The code is compared in constant time.
    func generation(of key: String, session: String) -> Int64? {
        guard key.utf8.count <= Self.keyLimit, session.utf8.count <= Self.sessionLimit, key.hasPrefix("k_"),
            let generation = Int64(key.dropFirst(2).prefix { $0 != "_" }), generation > 0
        else { return nil }
        // The whole text is compared: another spelling of the number is no key either.
        let right = self.key(session: session, generation: generation)
        return MessageCode.isEqual([UInt8](right.utf8), [UInt8](key.utf8)) ? generation : nil
    }

    /// Bytes of the code in a key: 160 bits.
    static let codeBytes = 20
    /// Longest key that is looked at, in bytes.
    static let keyLimit = 64
    /// Longest name of a session that is looked at, in bytes.
    static let sessionLimit = 128
}
