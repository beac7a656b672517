// AuthFault: why a connection is not let in.
// Spec: docs/protocol.md §1, §10; docs/auth.md

internal import TutorProtocol

/// Why a connection is not let in, or not on.
///
/// Each raw value is the word of the log and the metrics; clients get a sentence. What is wrong with a token that nobody
/// here has signed is not told in detail.
enum AuthFault: String, Error, Sendable, Hashable, CaseIterable {
    /// The token is for another service.
    case audience
    /// Two different tokens came.
    case ambiguous
    /// A token is needed and there is none.
    case absent
    /// The token has ended.
    case expired
    /// The token is of another issuer.
    case issuer
    /// No token, or none that this server reads.
    case malformed
    /// The token is not valid yet.
    case notYet = "not_yet"
    /// `hello` says another role than the token.
    case role
    /// The new token is of another subject, role or room.
    case subject
    /// The signature is wrong, or made in a way that the key is not for.
    case signature
    /// The token names a key that the server does not have.
    case unknownKey = "unknown_key"

    /// The code that the client gets.
    var code: ErrorCode {
        switch self {
        case .role, .subject: .forbidden
        case .absent, .ambiguous, .audience, .expired, .issuer, .malformed, .notYet, .signature, .unknownKey:
            .unauthorized
        }
    }

    /// How the socket closes.
    var closeReason: CloseReason { code == .forbidden ? .forbidden : .unauthorized }

    /// One plain sentence; holds nothing of the token.
    var message: String {
        switch self {
        case .absent: "a token is needed"
        case .ambiguous: "two different tokens came"
        case .audience, .issuer: "the token is not for this server"
        case .expired: "the token has expired"
        case .malformed, .signature, .unknownKey: "the token is not valid"
        case .notYet: "the token is not valid yet"
        case .role: "the token is for another role"
        case .subject: "the token is for another subject, role or room"
        }
    }

    /// The answer to a client.
    func errorMessage(re: MessageID?, isFatal: Bool) -> ErrorMessage {
        ErrorMessage(re: re, code: code, message: message, isFatal: isFatal)
    }
}
