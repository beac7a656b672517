// ErrorCode: the table of error codes that a client can see.
// Spec: docs/protocol.md §10; a test compares the two.

/// The `code` of an `error`, and the `reason` of a turn that failed for it.
public enum ErrorCode: String, Sendable, Hashable, CaseIterable {
    /// The bytes are not a JSON object within the limits of the reader.
    case badFrame = "bad_frame"
    /// A field is missing, of the wrong type or out of range; `path` names it.
    case badMessage = "bad_message"
    /// A budget of tokens or questions is used up.
    case budgetExhausted = "budget_exhausted"
    /// A turn is running and the ask said `"when_busy":"reject"`, or the server's queue is full.
    case busy
    /// The role may not do this.
    case forbidden
    /// Our fault; nothing more is said.
    case `internal`
    /// The room's policy forbids it now.
    case policy
    /// Too many messages; `retry_ms` says when to go on.
    case rateLimited = "rate_limited"
    /// The student or the policy refused a skill.
    case skillDenied = "skill_denied"
    /// A skill gave no result in time.
    case skillTimeout = "skill_timeout"
    /// Nothing can be stored durably at the moment.
    case storageDegraded = "storage_degraded"
    /// A message is longer than a client message may be.
    case tooLarge = "too_large"
    /// No valid token.
    case unauthorized
    /// The `type` is not of this protocol.
    case unknownType = "unknown_type"
    /// No such turn in this session.
    case unknownTurn = "unknown_turn"
    /// The protocol has it, this server does not offer it.
    case unsupported
    /// The model's answer could not be read.
    case upstreamInvalid = "upstream_invalid"
    /// The model's endpoint asks for a pause.
    case upstreamRateLimited = "upstream_rate_limited"
    /// The model's endpoint refused the request (key, model name, content).
    case upstreamRefused = "upstream_refused"
    /// The model's endpoint was too slow.
    case upstreamTimeout = "upstream_timeout"
    /// The model's endpoint could not be reached or broke off.
    case upstreamUnavailable = "upstream_unavailable"
}
