// TrustedProxies: whose word about a client's address is taken.
// Spec: RFC 7239; docs/auth.md (proxies)

internal import NetIO
internal import WireCore

/// Whose word about a client's address is taken.
///
/// Only a peer that is on the list may name a client, and the name taken is the right-most one that is not on the list:
/// what stands before it was written by the client or by strangers.
struct TrustedProxies: Sendable, Hashable {
    private let blocks: [AddressBlock]

    init(_ blocks: [AddressBlock]) {
        self.blocks = blocks
    }

    /// Where the sender of a request is.
    ///
    /// Whoever came through a proxy is never local, whether the proxy is on the list or not: a proxy on this machine must
    /// not lend its place to the world.
    func client(of peer: PeerAddress, _ headers: HTTPHeaders) -> ClientAddress {
        let isForwarded = Self.fields.contains { headers.count(of: $0) > 0 }
        guard let proxy = IPAddress(peer.host), trusts(proxy) else {
            return ClientAddress(host: peer.host, isLocal: peer.isLoopback && !isForwarded)
        }
        let list = headers.list("X-Forwarded-For").suffix(Self.hopLimit)
        let elements = headers.list("Forwarded").suffix(Self.hopLimit).map(Self.parameters)
        // A client can send the header that its proxy does not write: where both name somebody they must agree.
        let plain = list.isEmpty ? nil : name(list, behind: peer.host)
        let standard = elements.isEmpty ? nil : name(elements.map { $0["for"] ?? "" }, behind: peer.host)
        let isAgreed = plain == nil || standard == nil || plain == standard
        return ClientAddress(
            host: isAgreed ? plain ?? standard ?? peer.host : peer.host, isLocal: false,
            isSecure: Self.isSecure(headers.list("X-Forwarded-Proto").last, elements.last?["proto"]))
    }

    private func trusts(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// The right-most name that is no trusted proxy's; where all are, the left-most.
    private func name(_ hops: some BidirectionalCollection<String>, behind proxy: String) -> String {
        var host = proxy
        for hop in hops.reversed() {
            // What is no address ends the chain: it names nobody, and what stands before it cannot be believed.
            guard let text = Self.host(hop), let address = IPAddress(text) else { return host }
            host = text
            if !trusts(address) { return host }
        }
        return host
    }

    /// The address of a hop, without brackets and port.
    private static func host(_ hop: String) -> String? {
        if hop.hasPrefix("[") {
            guard let end = hop.firstIndex(of: "]") else { return nil }
            return String(hop[hop.index(after: hop.startIndex)..<end])
        }
        let colons = hop.utf8.count { $0 == UInt8(ascii: ":") }
        return colons == 1 ? String(hop.prefix { $0 != ":" }) : hop
    }

    /// The parameters of an element of `Forwarded`, names in lower case, without quotes.
    private static func parameters(_ element: String) -> [String: String] {
        var found: [String: String] = [:]
        for pair in element.split(separator: ";") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            guard sides.count == 2 else { continue }
            let name = sides[0].trimmed.lowercased()
            // A parameter stands once (RFC 7239 §4); of two the first is kept.
            guard found[name] == nil else { continue }
            found[name] = String(sides[1].trimmed.filter { $0 != "\"" })
        }
        return found
    }

    private static func isSecure(_ plain: String?, _ standard: String?) -> Bool? {
        let words = [plain, standard].compactMap { $0?.lowercased() }
        guard let word = words.first, words.allSatisfy({ $0 == word }) else { return nil }
        return word == "https" ? true : word == "http" ? false : nil
    }

    private static let fields = ["Forwarded", "Via", "X-Forwarded-For"]
    /// Most proxies in a row that are looked at.
    private static let hopLimit = 16
}
