// ClientAddress: where a client is, as far as can be believed.
// Spec: docs/auth.md (proxies)

internal import NetIO

/// Where a client is, as far as can be believed.
struct ClientAddress: Sendable, Hashable {
    /// The numeric address; of the peer, or what a trusted proxy says.
    let host: String
    /// Whether it is this machine, with nobody in between.
    let isLocal: Bool
    /// Whether the client speaks TLS to the trusted proxy; nil when none says so.
    let isSecure: Bool?

    init(host: String, isLocal: Bool, isSecure: Bool? = nil) {
        self.host = host
        self.isLocal = isLocal
        self.isSecure = isSecure
    }

    /// A peer that speaks for itself.
    init(_ peer: PeerAddress) {
        self.init(host: peer.host, isLocal: peer.isLoopback)
    }

    /// What counts as one client for limits: an IPv4 address, or the first 64 bits of an IPv6 one; nil when the text is
    /// no address.
    var key: IPAddress? { IPAddress(host)?.client }
}
