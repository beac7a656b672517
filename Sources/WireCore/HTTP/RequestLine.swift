// RequestLine: the first line of a request.
// Spec: RFC 9112 §3

/// The first line of a request, taken apart.
struct RequestLine: Sendable, Hashable {
    var method = HTTPMethod.get
    var path = "/"
    var query: String?
    var isHTTP11 = true

    /// Host and port of a target in absolute form, which overrides the `Host` field (RFC 9112 §3.2.2).
    var authority: String?

    init() {}

    /// Reads a line without its end.
    ///
    /// Exactly one space between the parts.
    init(_ line: [UInt8]) throws(HTTPRequestError) {
        let parts = line.split(separator: FieldGrammar.space, omittingEmptySubsequences: false)
        guard parts.count == 3, FieldGrammar.isToken(parts[0]), parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidRequestLine
        }
        isHTTP11 = try Self.version(parts[2])
        method = HTTPMethod(rawValue: String(decoding: parts[0], as: UTF8.self))
        try readTarget(parts[1])
    }

    /// True for 1.1, false for 1.0.
    private static func version(_ bytes: ArraySlice<UInt8>) throws(HTTPRequestError) -> Bool {
        let version = [UInt8](bytes)
        let name = [UInt8]("HTTP/".utf8)
        guard version.count == 8, version.starts(with: name), (0x30...0x39).contains(version[5]), version[6] == 0x2E,
            (0x30...0x39).contains(version[7])
        else { throw .invalidRequestLine }
        guard version[5] == UInt8(ascii: "1"), version[7] <= UInt8(ascii: "1") else { throw .unsupportedVersion }
        return version[7] == UInt8(ascii: "1")
    }

    private mutating func readTarget(_ target: ArraySlice<UInt8>) throws(HTTPRequestError) {
        // A fragment never leaves the client; one that comes anyway hides something.
        guard !target.contains(UInt8(ascii: "#")) else { throw .invalidRequestLine }
        var rest = target
        if target.elementsEqual([UInt8(ascii: "*")]) {
            guard method == .options else { throw .invalidRequestLine }
            path = "*"
            return
        }
        if rest.first != UInt8(ascii: "/") {
            guard let scheme = Self.schemeLength(target) else { throw .invalidRequestLine }
            rest = target.dropFirst(scheme)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            guard Self.isAuthority(rest[..<end]) else { throw .invalidRequestLine }
            authority = String(decoding: rest[..<end], as: UTF8.self)
            rest = rest[end...]
        }
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        let pathBytes = rest[..<(mark ?? rest.endIndex)]
        path = pathBytes.isEmpty ? "/" : String(decoding: pathBytes, as: UTF8.self)
        query = mark.map { String(decoding: rest[($0 + 1)...], as: UTF8.self) }
    }

    /// Length of `http://` or `https://` at the beginning of a target, in either case.
    private static func schemeLength(_ target: ArraySlice<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] {
            let start = String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self)
            if FieldGrammar.isEqualIgnoringCase(start, scheme) { return scheme.utf8.count }
        }
        return nil
    }

    /// Whether the bytes can be a host with an optional port: letters, digits, `.`, `-`, `_`, `:`, `[`, `]`, `%`, `~`.
    ///
    /// No `@`: user names in a host are only there to mislead.
    static func isAuthority(_ bytes: some Sequence<UInt8>) -> Bool {
        var count = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: "~"):
                count += 1
            default:
                return false
            }
        }
        return count > 0
    }
}
