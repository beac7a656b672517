// TokenKeys: the keys that tokens are checked with.
// Spec: docs/auth.md (keys)

/// The keys that tokens are checked with, in the operator's order: secrets, then public keys.
///
/// A token that names its key (`kid`) is checked with the key of that name and no other. One that names none is checked
/// with the first key. Either way the key's kind decides the algorithm.
struct TokenKeys: Sendable {
    /// A key of one kind.
    enum Key: Sendable {
        /// Of HS256.
        case secret([UInt8])
        /// Of EdDSA.
        case publicKey(PublicKey)

        /// The only `alg` that the key is for.
        var algorithm: String {
            switch self {
            case .publicKey: "EdDSA"
            case .secret: "HS256"
            }
        }
    }

    /// A key and its name.
    struct Entry: Sendable {
        /// The `kid`; nil for a key without a name.
        var name: String?
        var key: Key
    }

    private let entries: [Entry]

    /// Takes keys whose names are all different.
    init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The key for a token; nil when there is none of that name.
    func key(named name: String?) -> Key? {
        guard let name else { return entries.first?.key }
        return entries.first { $0.name == name }?.key
    }

    /// The secret to sign with, and the name to write into the token: the named one, or the first.
    func signingSecret(named name: String?) -> (name: String?, secret: [UInt8])? {
        for entry in entries where name == nil || entry.name == name {
            if case .secret(let secret) = entry.key { return (entry.name, secret) }
        }
        return nil
    }
}
