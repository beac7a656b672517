// ListenAddress: where a server listens.

internal import Glibc

/// Where a server listens: a numeric host and a port, such as `127.0.0.1:8080`, `[::1]:8080` or `0.0.0.0:0`.
///
/// Names other than `localhost` are refused: resolving one would block, and may give another address tomorrow.
public struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The numeric host.
    public let host: String
    /// The port; 0 lets the system choose.
    public let port: UInt16

    /// Reads `host:port`.
    ///
    /// - Throws: ``NetError/invalidAddress(_:)``.
    public init(_ text: String) throws(NetError) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw .invalidAddress(text)
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        if host == "localhost" { host = "127.0.0.1" }
        self.host = host
        self.port = port
        guard Self.isNumeric(host) else { throw .invalidAddress(text) }
    }

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The same host with another port.
    public func withPort(_ port: UInt16) -> ListenAddress { ListenAddress(host: host, port: port) }

    /// Whether only this machine can reach it.
    public var isLoopback: Bool { PeerAddress(host: host, port: port).isLoopback }

    /// The host as it stands in a URL.
    public var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

    /// `host:port`.
    public var description: String { PeerAddress(host: host, port: port).description }

    private static func isNumeric(_ host: String) -> Bool {
        var ip4 = in_addr()
        var ip6 = in6_addr()
        return inet_pton(AF_INET, host, &ip4) == 1 || inet_pton(AF_INET6, host, &ip6) == 1
    }

    /// Calls a closure with the socket address.
    func withSocketAddress<Result>(_ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address4 = sockaddr_in()
        address4.sin_family = sa_family_t(AF_INET)
        address4.sin_port = port.bigEndian
        if inet_pton(AF_INET, host, &address4.sin_addr) == 1 {
            return withUnsafePointer(to: &address4) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body(AF_INET, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
        var address6 = sockaddr_in6()
        address6.sin6_family = sa_family_t(AF_INET6)
        address6.sin6_port = port.bigEndian
        inet_pton(AF_INET6, host, &address6.sin6_addr)
        return withUnsafePointer(to: &address6) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(AF_INET6, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
    }
}
