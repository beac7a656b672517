// JSONWebToken: reads, checks and signs tokens.
// Spec: RFC 7515 (JWS compact form), RFC 7519, RFC 8037, RFC 8725 (what goes wrong with them)

internal import TutorProtocol

/// Reads, checks and signs tokens: three Base64URL parts, HS256 or EdDSA.
///
/// Any thread.
enum JSONWebToken {
    /// Checks a token's form and signature.
    ///
    /// The signature is checked before the payload is read.
    ///
    /// - Parameters:
    ///   - text: The token.
    ///   - keys: The keys; each is for one algorithm, so that a token's `alg` can only agree with it.
    /// - Returns: What it says; whether that is good now is ``TokenRules``' to judge.
    /// - Throws: ``AuthFault``.
    static func read(_ text: String, keys: TokenKeys) throws(AuthFault) -> TokenClaims {
        let bytes = [UInt8](text.utf8)
        guard bytes.count <= byteLimit else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .malformed }
        let (algorithm, name) = try readHeader(try json(header))
        guard let key = keys.key(named: name) else { throw .unknownKey }
        guard algorithm == key.algorithm else { throw .signature }
        let signed = Array(bytes[..<parts[1].endIndex])
        switch key {
        case .publicKey(let key):
            guard key.accepts(signature, of: signed) else { throw .signature }
        case .secret(let secret):
            guard MessageCode.isEqual(MessageCode.sha256(signed, secret: secret), signature) else { throw .signature }
        }
        return try TokenClaims(try json(payload))
    }

    /// Signs with HS256.
    ///
    /// - Parameters:
    ///   - claims: What the token says.
    ///   - secret: At least 32 bytes.
    ///   - name: The key's name, if it has one.
    /// - Returns: The token.
    static func sign(_ claims: TokenClaims, secret: [UInt8], keyName name: String?) -> String {
        var header: [String: JSONValue] = ["alg": "HS256", "typ": "JWT"].mapValues { .string($0) }
        if let name { header["kid"] = .string(name) }
        let signed = part(.object(header)) + "." + part(claims.payload)
        return signed + "." + Base64URL.encode(MessageCode.sha256([UInt8](signed.utf8), secret: secret))
    }

    private static func readHeader(_ header: JSONValue) throws(AuthFault) -> (algorithm: String, name: String?) {
        guard let members = header.object, let algorithm = members["alg"]?.string else { throw .malformed }
        // What `crit` names has to be understood, and nothing is (RFC 7515 §4.1.11).
        guard members["crit"] == nil else { throw .malformed }
        if let type = members["typ"] {
            // Other kinds of token may be signed with the same key (RFC 8725 §3.11).
            guard let type = type.string, type.uppercased() == "JWT" else { throw .malformed }
        }
        guard let name = members["kid"] else { return (algorithm, nil) }
        guard let name = name.string, (1...nameLimit).contains(name.utf8.count) else { throw .malformed }
        return (algorithm, name)
    }

    private static func json(_ bytes: [UInt8]) throws(AuthFault) -> JSONValue {
        do throws(JSONError) {
            return try JSONValue.parse(bytes, limits: jsonLimits)
        } catch {
            throw .malformed
        }
    }

    private static func part(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        value.append(to: &bytes)
        return Base64URL.encode(bytes)
    }

    /// Longest token, in bytes: fits a header field with room for others.
    static let byteLimit = 4_096
    /// Longest name of a key, in bytes.
    static let nameLimit = 64
    private static let jsonLimits = JSONLimits(bytes: byteLimit, depth: 4, keys: 64, values: 256)
}
