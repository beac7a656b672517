// Tokens: keys and tokens for the tests.

import TutorProtocol

@testable import TutorServer

/// Keys and tokens for the tests.
enum Tokens {
    static let secret = [UInt8]("0123456789abcdef0123456789abcdef".utf8)
    /// A moment in 2026, in milliseconds.
    static let now: Int64 = 1_790_000_000_000

    /// The public key of RFC 8037 A.2, as PEM: `openssl pkey -pubin -inform DER`.
    static let pem = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
        -----END PUBLIC KEY-----

        """

    static func keys(_ entries: TokenKeys.Entry...) -> TokenKeys {
        TokenKeys(entries.isEmpty ? [entry(nil)] : entries)
    }

    static func entry(_ name: String?, _ secret: [UInt8] = secret) -> TokenKeys.Entry {
        TokenKeys.Entry(name: name, key: .secret(secret))
    }

    static func publicEntry(_ name: String?) -> TokenKeys.Entry? {
        PublicKey(pem: [UInt8](pem.utf8)).map { TokenKeys.Entry(name: name, key: .publicKey($0)) }
    }

    /// Claims of a student that are good for ten minutes.
    static var claims: TokenClaims { TokenClaims(subject: "li", role: .student, expiresAt: now + 600_000) }

    static func sign(_ claims: TokenClaims = claims, secret: [UInt8] = secret, name: String? = nil) -> String {
        JSONWebToken.sign(claims, secret: secret, keyName: name)
    }

    /// A token of any header and payload, rightly signed with HS256.
    static func sign(header: String, payload: String, secret: [UInt8] = secret) -> String {
        let signed = Base64URL.encode([UInt8](header.utf8)) + "." + Base64URL.encode([UInt8](payload.utf8))
        return signed + "." + Base64URL.encode(MessageCode.sha256([UInt8](signed.utf8), secret: secret))
    }

    /// What reading a token throws; nil when it is good.
    static func fault(_ token: String, keys: TokenKeys = keys()) -> AuthFault? {
        do throws(AuthFault) {
            _ = try JSONWebToken.read(token, keys: keys)
            return nil
        } catch {
            return error
        }
    }
}
