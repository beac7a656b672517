// Bearer: the token that a request brought.
// Spec: docs/protocol.md §1 (token); RFC 6750 §2.1

internal import WireCore

/// The token that a request brought, not looked into yet.
///
/// Printed it shows nothing of the token.
enum Bearer: Sendable, Hashable, CustomStringConvertible {
    /// None.
    case none
    /// Two that differ, or a header that is none.
    case fault(AuthFault)
    /// One.
    case token(String)

    /// Finds it in `Authorization: Bearer T` and in a subprotocol `bearer.T`, which browsers can set.
    init(_ headers: HTTPHeaders, subprotocols: [String]) {
        var found: Set<String> = []
        var isMalformed = false
        for value in headers.all("Authorization") {
            let words = value.split(separator: " ", maxSplits: 1)
            // Another scheme is somebody else's, such as the password of a proxy.
            guard let scheme = words.first, scheme.lowercased() == "bearer" else { continue }
            guard words.count == 2 else {
                isMalformed = true
                continue
            }
            found.insert(words[1].trimmed)
        }
        for name in subprotocols where name.hasPrefix(Self.prefix) {
            found.insert(String(name.dropFirst(Self.prefix.count)))
        }
        if isMalformed {
            self = .fault(.malformed)
        } else if found.count > 1 {
            self = .fault(.ambiguous)
        } else {
            self = found.first.map { .token($0) } ?? .none
        }
    }

    /// Whether a URL's query holds a token, which would stand in the logs of every proxy on the way.
    static func isInQuery(_ query: String?) -> Bool {
        guard let query else { return false }
        return query.split(separator: "&").contains { pair in
            let name = pair.prefix { $0 != "=" }.lowercased()
            return name == "token" || name == "access_token" || name == "bearer"
        }
    }

    /// The kind, without the token.
    var description: String {
        switch self {
        case .fault(let fault): "fault \(fault.rawValue)"
        case .none: "none"
        case .token: "<redacted>"
        }
    }

    private static let prefix = "bearer."
}
