// Welcome: the answer to `hello`.
// Spec: docs/protocol.md §3

/// `welcome`: the answer to `hello`.
public struct Welcome: Sendable, Hashable {
    /// How much of an earlier session goes on.
    public enum Resumed: String, Sendable, Hashable, CaseIterable {
        case new
        case replay
        case snapshot
    }

    /// Why a resume became a new session.
    public enum WhyNew: String, Sendable, Hashable, CaseIterable {
        case expired
        case unknown
    }

    /// The message that it answers.
    public var re: MessageID?
    /// The session's id.
    public var session: String
    /// The key to resume it with; a secret.
    public var key: String
    /// The epoch that `seq` counts in.
    public var epoch: String
    /// How much goes on.
    public var resumed: Resumed
    /// Why not, where a resume was asked for.
    public var why: WhyNew?
    /// The newest `seq`; 0 for none.
    public var lastSeq: Int64
    /// The screen that the server has; 0 for none.
    public var screenRevision: Int64
    /// The bounds in force.
    public var limits: Limits
    /// When the token ends, in milliseconds since 1970; nil without a token.
    public var tokenExpiresAt: Int64?
    /// The server's version.
    public var version: String

    /// Makes a welcome.
    public init(
        re: MessageID? = nil, session: String, key: String, epoch: String, resumed: Resumed, why: WhyNew? = nil,
        lastSeq: Int64, screenRevision: Int64, limits: Limits, tokenExpiresAt: Int64? = nil, version: String
    ) {
        self.re = re
        self.session = session
        self.key = key
        self.epoch = epoch
        self.resumed = resumed
        self.why = why
        self.lastSeq = lastSeq
        self.screenRevision = screenRevision
        self.limits = limits
        self.tokenExpiresAt = tokenExpiresAt
        self.version = version
    }
}
