// Authenticator: decides who a connection is.
// Spec: docs/protocol.md §1; docs/auth.md

internal import TutorProtocol

/// Decides who a connection is.
///
/// A value; a reload of the keys swaps it (``CurrentAuthenticator``). Any thread.
struct Authenticator: Sendable {
    /// Nil: the server runs without tokens.
    private let keys: TokenKeys?
    /// When a signed token is good.
    let rules: TokenRules

    init(keys: TokenKeys?, rules: TokenRules) {
        self.keys = keys
        self.rules = rules
    }

    /// A server without tokens.
    static let open = Authenticator(keys: nil, rules: TokenRules())

    /// Whether the server runs without tokens: everybody who reaches it is let in.
    var isOpen: Bool { keys == nil }

    /// Decides who says hello.
    ///
    /// - Parameters:
    ///   - bearer: The token of the upgrade request. Not looked at where the server runs without tokens.
    ///   - hello: What the client claims; its role must be the token's.
    ///   - now: Milliseconds since 1970.
    /// - Returns: Who it is.
    /// - Throws: ``AuthFault``.
    func identify(_ bearer: Bearer, hello: Hello, now: Int64) throws(AuthFault) -> Identity {
        guard !isOpen else {
            var identity = Identity.open
            identity.role = hello.role
            return identity
        }
        let identity = try identify(bearer, now: now)
        guard identity.role == hello.role else { throw .role }
        return identity
    }

    /// Decides who sends a request that has no `hello`.
    ///
    /// - Throws: ``AuthFault``; ``AuthFault/absent`` where the server runs without tokens.
    func identify(_ bearer: Bearer, now: Int64) throws(AuthFault) -> Identity {
        switch bearer {
        case .fault(let fault): throw fault
        case .none: throw .absent
        case .token(let token): return try identity(of: token, now: now)
        }
    }

    /// Takes a new token of the same subject, role and room.
    ///
    /// - Returns: Who it is from now on: the same, with another end and quota.
    /// - Throws: ``AuthFault``; the old token goes on then.
    func refresh(_ token: String, of identity: Identity, now: Int64) throws(AuthFault) -> Identity {
        let new = try self.identity(of: token, now: now)
        guard new.subject == identity.subject, new.role == identity.role, new.room == identity.room else {
            throw .subject
        }
        return new
    }

    private func identity(of token: String, now: Int64) throws(AuthFault) -> Identity {
        guard let keys else { throw .absent }
        let claims = try JSONWebToken.read(token, keys: keys)
        try rules.check(claims, now: now)
        return claims.identity
    }
}
