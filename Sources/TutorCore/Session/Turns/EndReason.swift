// EndReason: why a turn ended, and the one place where a model's faults become codes.
// Spec: docs/protocol.md §5 (`turn.end`), §10

public import TutorProtocol

/// Why a turn ended, where there is something to say.
public enum EndReason: Sendable, Hashable {
    /// It failed for this.
    case code(ErrorCode)
    /// The answer was cut at a limit.
    case length
    /// The room's policy.
    case policy
    /// The server was restarted meanwhile.
    case restarted

    /// The model answered without a word.
    public static let empty = Self.code(.upstreamInvalid)
    /// A filter of the endpoint cut the answer.
    public static let filtered = Self.code(.upstreamRefused)

    /// What a model's fault is called on the wire.
    ///
    /// The details stay here: they may hold what no client should see.
    public init(_ error: ModelError) {
        switch error {
        case .invalid: self = .code(.upstreamInvalid)
        case .rateLimited: self = .code(.upstreamRateLimited)
        case .refused: self = .code(.upstreamRefused)
        case .timeout: self = .code(.upstreamTimeout)
        case .unavailable: self = .code(.upstreamUnavailable)
        }
    }

    /// The value of `turn.end.reason`.
    public var wire: String {
        switch self {
        case .code(let code): code.rawValue
        case .length: "length"
        case .policy: "policy"
        case .restarted: "restarted"
        }
    }
}
