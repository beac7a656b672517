// Identity: who a connection is, as far as the server knows.
// Spec: docs/protocol.md §1 (token)

internal import TutorProtocol

/// Who a connection is: what its token says, or nobody in particular where the server runs without tokens.
struct Identity: Sendable, Hashable {
    /// What the token allows in a day and a minute.
    struct Quota: Sendable, Hashable {
        /// Tokens a day; nil for the server's setting.
        var tokensPerDay: Int?
        /// Questions a minute; nil for the server's setting.
        var asksPerMinute: Int?
    }

    /// The token's `sub`; nil without tokens.
    var subject: String?
    /// What it may do.
    var role: Role
    /// The room it belongs to.
    var room: String?
    /// The name to show.
    var name: String?
    /// When the token ends, in milliseconds since 1970; nil without tokens.
    var expiresAt: Int64?
    /// What it may use.
    var quota = Quota()

    /// A student of a server that runs without tokens.
    static let open = Identity(subject: nil, role: .student, room: nil, name: nil, expiresAt: nil)
}
