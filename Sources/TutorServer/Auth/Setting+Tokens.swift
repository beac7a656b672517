// Setting, tokens: the settings of tokens and proxies.
// Spec: docs/configuration.md is written from this table.

internal import ModelIO

extension Setting {
    static let tokens: [Setting] = [
        Setting(
            "token_secret",
            "Secrets that tokens are signed with (HS256), at least 32 bytes each, separated by commas. `name=secret` gives "
                + "a secret the name that a token's `kid` says; without `kid` the first key is meant. With a secret or a "
                + "public key every client needs a token, and any address may be listened on. Read again on SIGHUP.",
            isSecret: true, show: { $0.tokens.secrets.isEmpty ? "" : "<redacted>" }
        ) { (text, configuration) throws(ConfigurationError) in
            configuration.tokens.secrets = []
            for part in text.split(separator: ",").map({ $0.trimmed }) where !part.isEmpty {
                let (name, secret) = named(part, ifRest: { $0.utf8.count >= TokenSettings.secretBytes })
                guard secret.utf8.count >= TokenSettings.secretBytes else {
                    throw .value(
                        name: "token_secret", reason: "a secret has less than \(TokenSettings.secretBytes) bytes")
                }
                configuration.tokens.secrets.append(TokenSettings.NamedSecret(name: name, secret: Secret(secret)))
            }
        },
        Setting(
            "token_public_keys",
            "PEM files of the Ed25519 public keys of those who sign tokens (EdDSA), separated by commas; `name=file` names "
                + "a key. Read again on SIGHUP.",
            show: { $0.tokens.publicKeys.map(\.text).joined(separator: ",") }
        ) { (text, configuration) throws(ConfigurationError) in
            configuration.tokens.publicKeys = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
                .map { part in
                    let (name, path) = named(part, ifRest: { !$0.isEmpty })
                    return TokenSettings.NamedFile(name: name, path: path)
                }
        },
        .text(
            "token_audience", "The audience (`aud`) that tokens must name. Empty: they must name none.",
            \.tokens.audience),
        .text("token_issuer", "The issuer (`iss`) that tokens must name. Empty: any.", \.tokens.issuer),
        .milliseconds(
            "token_leeway_ms",
            "How far the clocks of the tokens' issuer and of the server may differ, in milliseconds.", 0...600_000,
            \.tokens.leeway),
        Setting(
            "trusted_proxies",
            "Proxies whose `X-Forwarded-For`, `X-Forwarded-Proto` and `Forwarded` are believed, as addresses or blocks "
                + "such as `10.0.0.0/8`, separated by commas.",
            show: { $0.tokens.trustedProxies.map(\.text).joined(separator: ",") }
        ) { (text, configuration) throws(ConfigurationError) in
            configuration.tokens.trustedProxies = []
            for part in text.split(separator: ",").map({ $0.trimmed }) where !part.isEmpty {
                guard let block = AddressBlock(part) else {
                    throw .value(
                        name: "trusted_proxies", reason: "\(part) is neither an address nor a block such as 10.0.0.0/8")
                }
                configuration.tokens.trustedProxies.append(block)
            }
        },
    ]

    /// A part without the name before it.
    ///
    /// There is a name where a short word and `=` stand before a rest that can be meant: Base64 ends with `=`, and a path
    /// has slashes.
    private static func named(_ part: String, ifRest isMeant: (String) -> Bool) -> (name: String?, rest: String) {
        let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard sides.count == 2, (1...JSONWebToken.nameLimit).contains(sides[0].utf8.count),
            sides[0].utf8.allSatisfy(isNameByte), isMeant(String(sides[1]))
        else { return (nil, part) }
        return (String(sides[0]), String(sides[1]))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
