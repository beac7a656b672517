// WebGate: what is decided about a WebSocket before its upgrade.
// Spec: docs/protocol.md §1; docs/auth.md

internal import NetIO
internal import WireCore

/// What is decided about a WebSocket before its upgrade: where the client is, whether its page may, which token it has.
///
/// Any thread.
struct WebGate: Sendable {
    let origins: OriginPolicy
    let proxies: TrustedProxies

    /// What a request brought.
    struct Visitor: Sendable, Hashable {
        var client: ClientAddress
        var bearer: Bearer
    }

    /// Why a request gets an HTTP status and no WebSocket.
    enum Refusal: Error, Sendable, Hashable {
        case origin
        case tokenInURL

        /// The status and a plain sentence.
        var answer: (status: HTTPStatus, text: String) {
            switch self {
            case .origin: (.forbidden, "origin not allowed")
            case .tokenInURL:
                (
                    .badRequest,
                    "a token in the URL is not taken: send it as Authorization: Bearer, or as a subprotocol bearer.TOKEN"
                )
            }
        }
    }

    /// Looks at a request that may become a WebSocket.
    ///
    /// The token is found, not checked: its faults are told after the upgrade, where browsers can read them.
    func admit(
        _ head: HTTPRequestHead, subprotocols: [String], from peer: PeerAddress
    ) throws(Refusal) -> Visitor {
        guard !Bearer.isInQuery(head.query) else { throw .tokenInURL }
        let bearer = Bearer(head.headers, subprotocols: subprotocols)
        let client = proxies.client(of: peer, head.headers)
        guard origins.accepts(origins: head.headers.all("Origin"), from: client, hasToken: bearer != .none) else {
            throw .origin
        }
        return Visitor(client: client, bearer: bearer)
    }
}
