// PeerAddress: who is at the other end of a connection.

internal import Glibc

/// The numeric address of the other end of a connection.
public struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
    /// The address without the port, such as `127.0.0.1` or `::1`.
    public let host: String
    /// The port.
    public let port: UInt16

    /// Makes an address from its parts.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Whether the other end is this machine.
    public var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") || host.hasPrefix("::ffff:127.") }

    /// `127.0.0.1:40000` or `[::1]:40000`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    init(_ storage: sockaddr_storage) {
        var storage = storage
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN) + 1)
        let size = socklen_t(text.count)
        if storage.ss_family == sa_family_t(AF_INET) {
            (host, port) = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    var ip = address.pointee.sin_addr
                    inet_ntop(AF_INET, &ip, &text, size)
                    return (Self.string(text), UInt16(bigEndian: address.pointee.sin_port))
                }
            }
        } else if storage.ss_family == sa_family_t(AF_INET6) {
            (host, port) = withUnsafePointer(to: &storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    var ip = address.pointee.sin6_addr
                    inet_ntop(AF_INET6, &ip, &text, size)
                    return (Self.string(text), UInt16(bigEndian: address.pointee.sin6_port))
                }
            }
        } else {
            (host, port) = ("unknown", 0)
        }
    }

    private static func string(_ text: [CChar]) -> String {
        String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
