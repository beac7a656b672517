// TokenRules: when a token that is signed is good.
// Spec: RFC 7519 §4.1; docs/auth.md (what is checked)

/// When a token that is signed is good.
struct TokenRules: Sendable, Hashable {
    /// The audience that a token must name; nil: it must name none.
    var audience: String?
    /// The issuer that a token must name; nil: any.
    var issuer: String?
    /// How far the clocks of issuer and server may differ, in milliseconds.
    ///
    /// Default 30 s.
    var leeway: Int64 = 30_000

    /// Judges what a token says at a time, in milliseconds since 1970.
    func check(_ claims: TokenClaims, now: Int64) throws(AuthFault) {
        if let audience {
            guard claims.audiences.contains(audience) else { throw .audience }
        } else {
            // Who does not find itself among the audiences must refuse (RFC 7519 §4.1.3).
            guard claims.audiences.isEmpty else { throw .audience }
        }
        if let issuer, claims.issuer != issuer { throw .issuer }
        guard now < claims.expiresAt + leeway else { throw .expired }
        for start in [claims.notBefore, claims.issuedAt] {
            if let start, start - leeway > now { throw .notYet }
        }
    }
}
