// OriginPolicy: which pages may open a WebSocket.
// Spec: docs/protocol.md §1

public import NetIO

/// Which pages may open a WebSocket: an exact list.
///
/// By default the server's own addresses. They are named, not taken from the request's `Host`: a page of another site
/// whose name resolves to this machine sends its own name as both.
public struct OriginPolicy: Sendable, Hashable {
    private let allowed: Set<String>

    /// Makes a policy from the listen address, whether it speaks TLS, and the operator's list.
    public init(own address: ListenAddress, isSecure: Bool = false, allowed: [String]) {
        var all = Set(allowed)
        let aliases = address.isLoopback ? ["127.0.0.1", "localhost", "[::1]"] : []
        // Browsers leave the scheme's own port out (RFC 6454 §6.2).
        let port = address.port == (isSecure ? 443 : 80) ? "" : ":\(address.port)"
        let scheme = isSecure ? "https" : "http"
        for host in aliases + [address.bracketedHost] { all.insert("\(scheme)://\(host)\(port)") }
        self.allowed = all
    }

    /// Whether a request may become a WebSocket.
    ///
    /// - Parameters:
    ///   - origins: Every `Origin` header of the request; more than one is refused.
    ///   - peer: Who asks. Without an `Origin` it is no browser; that is accepted from this machine only.
    /// - Returns: Whether it may.
    public func accepts(origins: [String], from peer: PeerAddress) -> Bool {
        guard let origin = origins.first else { return peer.isLoopback }
        return origins.count == 1 && allowed.contains(origin)
    }

    /// Whether a text is an origin as browsers send it: scheme, host and perhaps a port, in lower case, with no path.
    ///
    /// Anything else in a list would silently never match.
    static func isOrigin(_ text: String) -> Bool {
        guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return false }
        let rest = text.dropFirst(scheme.count).utf8
        return !rest.isEmpty
            && rest.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                    UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                    true
                default:
                    false
                }
            }
    }
}
