// TokenClaims: what a token says, read strictly.
// Spec: RFC 7519 §4; docs/protocol.md §1 (token)

internal import TutorProtocol

/// What a token says.
///
/// Times are milliseconds since 1970; members that are not named here are passed over.
struct TokenClaims: Sendable, Hashable {
    var subject: String
    var role: Role
    var room: String?
    var name: String?
    var expiresAt: Int64
    var notBefore: Int64?
    var issuedAt: Int64?
    var audiences: [String] = []
    var issuer: String?
    var quota = Identity.Quota()

    init(subject: String, role: Role, expiresAt: Int64) {
        self.subject = subject
        self.role = role
        self.expiresAt = expiresAt
    }

    /// Reads the payload of a token.
    init(_ payload: JSONValue) throws(AuthFault) {
        guard let members = payload.object,
            let subject = try Self.text(members["sub"], limit: Self.subjectBytes),
            let word = try Self.text(members["role"], limit: Self.subjectBytes), let role = Role(rawValue: word),
            let expiresAt = try Self.time(members["exp"])
        else { throw .malformed }
        self.subject = subject
        self.role = role
        self.expiresAt = expiresAt
        room = try Self.text(members["room"], limit: Self.subjectBytes)
        name = try Self.text(members["name"], limit: Self.subjectBytes)
        notBefore = try Self.time(members["nbf"])
        issuedAt = try Self.time(members["iat"])
        issuer = try Self.text(members["iss"], limit: Self.addressBytes)
        switch members["aud"] {
        case nil: break
        case .array(let list):
            guard (1...Self.audienceLimit).contains(list.count) else { throw .malformed }
            for item in list {
                guard let text = try Self.text(item, limit: Self.addressBytes) else { throw .malformed }
                audiences.append(text)
            }
        case .some(let one):
            guard let text = try Self.text(one, limit: Self.addressBytes) else { throw .malformed }
            audiences = [text]
        }
        if let quota = members["quota"] {
            guard let limits = quota.object else { throw .malformed }
            self.quota = Identity.Quota(
                tokensPerDay: try Self.count(limits["tokens_per_day"]),
                asksPerMinute: try Self.count(limits["asks_per_minute"]))
        }
    }

    /// The payload of a token; the members' names are sorted.
    var payload: JSONValue {
        var members: [String: JSONValue] = [
            "sub": .string(subject), "role": .string(role.rawValue), "exp": Self.seconds(expiresAt),
        ]
        if let room { members["room"] = .string(room) }
        if let name { members["name"] = .string(name) }
        if let notBefore { members["nbf"] = Self.seconds(notBefore) }
        if let issuedAt { members["iat"] = Self.seconds(issuedAt) }
        if let issuer { members["iss"] = .string(issuer) }
        if let one = audiences.first {
            members["aud"] = audiences.count == 1 ? .string(one) : .array(audiences.map { .string($0) })
        }
        var limits: [String: JSONValue] = [:]
        if let tokens = quota.tokensPerDay { limits["tokens_per_day"] = .number(Double(tokens)) }
        if let asks = quota.asksPerMinute { limits["asks_per_minute"] = .number(Double(asks)) }
        if !limits.isEmpty { members["quota"] = .object(limits) }
        return .object(members)
    }

    /// Who the token makes its bearer.
    var identity: Identity {
        Identity(subject: subject, role: role, room: room, name: name, expiresAt: expiresAt, quota: quota)
    }

    private static func seconds(_ milliseconds: Int64) -> JSONValue { .number(Double(milliseconds) / 1_000) }

    /// A text of 1 to `limit` bytes without control characters: it comes into logs and onto screens.
    private static func text(_ value: JSONValue?, limit: Int) throws(AuthFault) -> String? {
        guard let value else { return nil }
        guard let text = value.string, (1...limit).contains(text.utf8.count),
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { throw .malformed }
        return text
    }

    /// A NumericDate (RFC 7519 §2), which may have a fraction; in milliseconds.
    private static func time(_ value: JSONValue?) throws(AuthFault) -> Int64? {
        guard let value else { return nil }
        guard let seconds = value.double, (0...lastSecond).contains(seconds) else { throw .malformed }
        return Int64(seconds * 1_000)
    }

    private static func count(_ value: JSONValue?) throws(AuthFault) -> Int? {
        guard let value else { return nil }
        guard let number = value.int, (0...countLimit).contains(number) else { throw .malformed }
        return number
    }

    /// Longest subject, role, room and name, in bytes.
    static let subjectBytes = 128
    /// Longest issuer and audience, in bytes.
    static let addressBytes = 512
    /// Most audiences.
    static let audienceLimit = 16
    /// The greatest quota.
    static let countLimit = 1_000_000_000_000
    /// The end of the year 9999.
    private static let lastSecond = 253_402_300_799.0
}
