// TokenSettings: the settings of tokens and proxies.
// Spec: docs/configuration.md, docs/auth.md

internal import ModelIO

/// The settings of tokens and proxies.
struct TokenSettings: Sendable, Hashable {
    /// Secrets of HS256.
    ///
    /// Default none.
    var secrets: [NamedSecret] = []
    /// Files of public keys of EdDSA.
    ///
    /// Default none.
    var publicKeys: [NamedFile] = []
    /// The audience that tokens must name.
    ///
    /// Default empty: tokens must name none.
    var audience = ""
    /// The issuer that tokens must name.
    ///
    /// Default empty: any.
    var issuer = ""
    /// How far the clocks of issuer and server may differ.
    ///
    /// Default 30 s.
    var leeway: Duration = .seconds(30)
    /// Proxies whose word about a client's address is taken.
    ///
    /// Default none.
    var trustedProxies: [AddressBlock] = []

    /// Whether there is any key.
    var areOn: Bool { !secrets.isEmpty || !publicKeys.isEmpty }

    /// A secret and its name.
    struct NamedSecret: Sendable, Hashable {
        var name: String?
        var secret: Secret
    }

    /// A file and the name of the key in it.
    struct NamedFile: Sendable, Hashable {
        var name: String?
        var path: String

        /// As it was written.
        var text: String { name.map { "\($0)=\(path)" } ?? path }
    }

    /// Reads the public keys' files and gives what decides about tokens.
    ///
    /// Blocks on the files: not for a shard.
    ///
    /// - Throws: ``ConfigurationError``, which names the file.
    func authenticator() throws(ConfigurationError) -> Authenticator {
        guard areOn else { return .open }
        var entries = secretEntries
        for file in publicKeys {
            guard let key = PublicKey(pem: try Output.contents(file.path)) else {
                throw .file(path: file.path, reason: "holds no Ed25519 public key (BEGIN PUBLIC KEY)")
            }
            entries.append(TokenKeys.Entry(name: file.name, key: .publicKey(key)))
        }
        return Authenticator(
            keys: TokenKeys(entries),
            rules: TokenRules(
                audience: audience.isEmpty ? nil : audience, issuer: issuer.isEmpty ? nil : issuer,
                leeway: Int64(leeway.wholeMilliseconds)))
    }

    /// The secrets as keys.
    var secretEntries: [TokenKeys.Entry] {
        secrets.map { TokenKeys.Entry(name: $0.name, key: .secret([UInt8]($0.secret.revealed.utf8))) }
    }

    /// Checks that no two keys have one name.
    func requireDistinctNames() throws(ConfigurationError) {
        var seen: Set<String> = []
        for name in secrets.compactMap(\.name) + publicKeys.compactMap(\.name) {
            guard seen.insert(name).inserted else { throw .conflict("two token keys are named \(name)") }
        }
    }

    /// Shortest secret, in bytes: as long as the code that it makes (RFC 7518 §3.2).
    static let secretBytes = 32
}
