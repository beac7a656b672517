// OriginPolicy: which pages may open a WebSocket.
// Spec: docs/protocol.md §1

internal import NetIO

/// Which pages may open a WebSocket: an exact list.
///
/// By default the server's own addresses. They are named, not taken from the request's `Host`: a page of another site
/// whose name resolves to this machine sends its own name as both.
struct OriginPolicy: Sendable, Hashable {
    private let allowed: Set<String>
    /// The server's own as pages behind a proxy that speaks TLS see them, and one that does not.
    private let secure: Set<String>
    private let plain: Set<String>
    private let isSecure: Bool

    /// Makes a policy from the listen address, whether it speaks TLS, and the operator's list.
    init(own address: ListenAddress, isSecure: Bool = false, allowed: [String]) {
        self.isSecure = isSecure
        self.allowed = Set(allowed)
        secure = Self.own(address, isSecure: true)
        plain = Self.own(address, isSecure: false)
    }

    private static func own(_ address: ListenAddress, isSecure: Bool) -> Set<String> {
        let aliases = address.isLoopback ? ["127.0.0.1", "localhost", "[::1]"] : []
        // Browsers leave the scheme's own port out (RFC 6454 §6.2).
        let port = address.port == (isSecure ? 443 : 80) ? "" : ":\(address.port)"
        let scheme = isSecure ? "https" : "http"
        return Set((aliases + [address.bracketedHost]).map { "\(scheme)://\($0)\(port)" })
    }

    /// Whether a request may become a WebSocket.
    ///
    /// - Parameters:
    ///   - origins: Every `Origin` header of the request; more than one is refused.
    ///   - client: Who asks. Without an `Origin` it is no browser; that is accepted from this machine, and with a token,
    ///     which no browser adds by itself.
    ///   - hasToken: Whether a token came along.
    /// - Returns: Whether it may.
    func accepts(origins: [String], from client: ClientAddress, hasToken: Bool) -> Bool {
        guard let origin = origins.first else { return client.isLocal || hasToken }
        let own = client.isSecure ?? isSecure ? secure : plain
        return origins.count == 1 && (allowed.contains(origin) || own.contains(origin))
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
