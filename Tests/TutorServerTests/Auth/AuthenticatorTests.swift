// AuthenticatorTests: who is let in, and when.
// Spec: docs/protocol.md §1; docs/auth.md

import Testing
import TutorProtocol

@testable import TutorServer

@Suite("Authenticator")
struct AuthenticatorTests {
    private let now = Tokens.now

    private func authenticator(_ rules: TokenRules = TokenRules()) -> Authenticator {
        Authenticator(keys: Tokens.keys(), rules: rules)
    }

    private func fault(
        _ bearer: Bearer, role: Role = .student, rules: TokenRules = TokenRules(), at time: Int64? = nil
    ) -> AuthFault? {
        do throws(AuthFault) {
            _ = try authenticator(rules).identify(bearer, hello: Hello(role: role), now: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    private func fault(_ claims: TokenClaims, rules: TokenRules = TokenRules(), at time: Int64? = nil) -> AuthFault? {
        fault(.token(Tokens.sign(claims)), rules: rules, at: time)
    }

    @Test func tokenTellsWhoItIs() throws {
        var claims = Tokens.claims
        claims.room = "r1"
        claims.name = "Li"
        claims.quota.asksPerMinute = 5
        let identity = try authenticator().identify(
            .token(Tokens.sign(claims)), hello: Hello(role: .student), now: now)
        #expect(
            identity
                == Identity(
                    subject: "li", role: .student, room: "r1", name: "Li", expiresAt: now + 600_000,
                    quota: Identity.Quota(asksPerMinute: 5)))
    }

    @Test func withoutKeysEverybodyIsAStudentOrWhatTheySay() throws {
        for role in Role.allCases {
            let identity = try Authenticator.open.identify(.token("x"), hello: Hello(role: role), now: now)
            #expect(identity.subject == nil && identity.role == role && identity.expiresAt == nil)
        }
        #expect(throws: AuthFault.absent) { try Authenticator.open.identify(.token("x"), now: now) }
    }

    @Test func withKeysATokenIsNeeded() {
        #expect(fault(.none) == .absent)
        #expect(fault(.token("")) == .malformed)
        #expect(fault(.fault(.ambiguous)) == .ambiguous)
    }

    /// Every pair of roles: only the equal ones pass.
    @Test(arguments: Role.allCases, Role.allCases)
    func roleOfHelloMustBeTheTokens(token: Role, hello: Role) {
        var claims = Tokens.claims
        claims.role = token
        #expect(fault(.token(Tokens.sign(claims)), role: hello) == (token == hello ? nil : .role))
    }

    @Test func expiryHasALeeway() {
        let end = Tokens.claims.expiresAt
        #expect(fault(Tokens.claims, at: end - 1) == nil)
        #expect(fault(Tokens.claims, at: end + 29_999) == nil)
        #expect(fault(Tokens.claims, at: end + 30_000) == .expired)
        #expect(fault(Tokens.claims, at: end + 60_000) == .expired)
        let strict = TokenRules(leeway: 0)
        #expect(fault(Tokens.claims, rules: strict, at: end - 1) == nil)
        #expect(fault(Tokens.claims, rules: strict, at: end) == .expired)
        let wide = TokenRules(leeway: 90_000)
        #expect(fault(Tokens.claims, rules: wide, at: end + 60_000) == nil)
    }

    @Test func beginningHasALeeway() {
        for path in [\TokenClaims.notBefore, \TokenClaims.issuedAt] {
            var claims = Tokens.claims
            claims[keyPath: path] = now + 30_000
            #expect(fault(claims) == nil)
            claims[keyPath: path] = now + 30_001
            #expect(fault(claims) == .notYet)
            claims[keyPath: path] = now + 60_000
            #expect(fault(claims) == .notYet)
            claims[keyPath: path] = now - 86_400_000
            #expect(fault(claims) == nil)
        }
    }

    @Test func audienceMustBeOurs() {
        var claims = Tokens.claims
        let ours = TokenRules(audience: "chalkline")
        #expect(fault(claims, rules: ours) == .audience)
        claims.audiences = ["other"]
        #expect(fault(claims, rules: ours) == .audience)
        #expect(fault(claims) == .audience)
        claims.audiences = ["other", "chalkline"]
        #expect(fault(claims, rules: ours) == nil)
    }

    @Test func issuerMustBeOursWhenOneIsSet() {
        var claims = Tokens.claims
        let ours = TokenRules(issuer: "https://school.example")
        #expect(fault(claims, rules: ours) == .issuer)
        claims.issuer = "https://evil.example"
        #expect(fault(claims, rules: ours) == .issuer)
        #expect(fault(claims) == nil)
        claims.issuer = "https://school.example"
        #expect(fault(claims, rules: ours) == nil)
    }

    @Test func newTokenMovesTheEnd() throws {
        let identity = Tokens.claims.identity
        var claims = Tokens.claims
        claims.expiresAt += 600_000
        claims.quota.tokensPerDay = 9
        let refreshed = try authenticator().refresh(Tokens.sign(claims), of: identity, now: now)
        #expect(refreshed.expiresAt == now + 1_200_000)
        #expect(refreshed.quota.tokensPerDay == 9)
    }

    @Test func newTokenOfSomebodyElseIsRefused() {
        let identity = Tokens.claims.identity
        var foreign = [Tokens.claims, Tokens.claims, Tokens.claims]
        foreign[0].subject = "wang"
        foreign[1].role = .teacher
        foreign[2].room = "other"
        for claims in foreign {
            #expect(throws: AuthFault.subject) {
                try authenticator().refresh(Tokens.sign(claims), of: identity, now: now)
            }
        }
        #expect(throws: AuthFault.expired) {
            try authenticator().refresh(Tokens.sign(), of: identity, now: now + 3_600_000)
        }
        #expect(throws: AuthFault.malformed) { try authenticator().refresh("x", of: identity, now: now) }
        #expect(throws: AuthFault.absent) { try Authenticator.open.refresh(Tokens.sign(), of: .open, now: now) }
    }

    @Test func replacedKeysCountFromThenOn() throws {
        let current = CurrentAuthenticator(authenticator())
        let other = [UInt8](repeating: 9, count: 32)
        _ = try current.value.identify(.token(Tokens.sign()), now: now)
        current.replace(with: Authenticator(keys: Tokens.keys(Tokens.entry(nil, other)), rules: TokenRules()))
        #expect(throws: AuthFault.signature) { try current.value.identify(.token(Tokens.sign()), now: now) }
        _ = try current.value.identify(.token(Tokens.sign(secret: other)), now: now)
    }

    @Test(arguments: AuthFault.allCases)
    func faultsCloseWithTheCodesOfTheProtocol(fault: AuthFault) {
        let isForbidden = fault == .role || fault == .subject
        #expect(fault.code == (isForbidden ? .forbidden : .unauthorized))
        #expect(fault.closeReason.code == (isForbidden ? 4503 : 4501))
        #expect(fault.errorMessage(re: nil, isFatal: true).isFatal)
    }
}
