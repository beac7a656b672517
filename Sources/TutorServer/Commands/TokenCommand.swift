// TokenCommand: mints one token.
// Spec: docs/auth.md (minting)

internal import TutorProtocol

/// `token`: prints one token, signed with the secret of the settings.
enum TokenCommand {
    static func run(_ arguments: [String]) throws -> Int32 {
        var flags = try Flags(arguments)
        if let word = flags.words.first { throw UsageError("unexpected argument: \(word)") }
        // Whole seconds: some readers of tokens take nothing else.
        let now = WallClock.milliseconds() / 1_000 * 1_000
        var claims = try claims(&flags, now: now)
        let keyName = flags.take("kid")
        let settings = try ConfigCommand.load(&flags).tokens
        if !settings.audience.isEmpty { claims.audiences = [settings.audience] }
        if !settings.issuer.isEmpty { claims.issuer = settings.issuer }
        Output.write(try token(claims, keyName: keyName, settings) + "\n")
        return 0
    }

    private static func claims(_ flags: inout Flags, now: Int64) throws(UsageError) -> TokenClaims {
        guard let word = flags.take("role") else { throw UsageError("token needs --role") }
        guard let role = Role(rawValue: word) else {
            let words = Role.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("--role \(word) is none of \(words)")
        }
        guard let subject = flags.take("subject") else { throw UsageError("token needs --subject") }
        let ttl = flags.take("ttl") ?? "10m"
        guard let seconds = seconds(ttl), (1...longestSeconds).contains(seconds) else {
            throw UsageError("--ttl \(ttl) is no time such as 90s, 10m, 8h or 7d, of at most 366 days")
        }
        var claims = TokenClaims(subject: subject, role: role, expiresAt: now + seconds * 1_000)
        claims.issuedAt = now
        claims.room = flags.take("room")
        claims.name = flags.take("name")
        claims.quota.tokensPerDay = try count("tokens-per-day", &flags)
        claims.quota.asksPerMinute = try count("asks-per-minute", &flags)
        return claims
    }

    private static func token(
        _ claims: TokenClaims, keyName: String?, _ settings: TokenSettings
    ) throws -> String {
        guard !settings.secrets.isEmpty else {
            throw UsageError(
                settings.publicKeys.isEmpty
                    ? "token needs the secret: set CHALKLINE_TOKEN_SECRET_FILE or CHALKLINE_TOKEN_SECRET"
                    : "token signs with a secret (CHALKLINE_TOKEN_SECRET_FILE); public keys only check")
        }
        let authenticator = try settings.authenticator()
        guard let key = TokenKeys(settings.secretEntries).signingSecret(named: keyName) else {
            throw UsageError("no secret is named \(keyName ?? "")")
        }
        let token = JSONWebToken.sign(claims, secret: key.secret, keyName: key.name)
        // What the server would refuse is not printed: a subject that is too long, a control character in a name.
        do throws(AuthFault) {
            _ = try authenticator.identify(.token(token), now: WallClock.milliseconds())
        } catch {
            throw UsageError("the server would refuse this token: \(error.message) (\(error.rawValue))")
        }
        return token
    }

    /// Seconds of a time such as `90`, `90s`, `10m`, `8h`, `7d`.
    static func seconds(_ text: String) -> Int64? {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? text[...] : text.dropLast()), number >= 0 else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        return overflow ? nil : seconds
    }

    private static func count(_ name: String, _ flags: inout Flags) throws(UsageError) -> Int? {
        guard let text = flags.take(name) else { return nil }
        guard let number = Int(text), (0...TokenClaims.countLimit).contains(number) else {
            throw UsageError("--\(name) \(text) is not a whole number from 0 to \(TokenClaims.countLimit)")
        }
        return number
    }

    private static let longestSeconds: Int64 = 366 * 86_400
}
