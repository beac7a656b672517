// CurlRoute: what every request to an endpoint has in common.
// Spec: docs/models.md (settings)

/// What every request to an endpoint has in common, checked once.
struct CurlRoute {
    /// The address that is posted to.
    let address: String
    /// The header lines; they hold the key.
    let headerLines: [Secret]
    /// The proxy, if any.
    let proxy: String?
    /// The file of certificate authorities, if not the system's.
    let authoritiesFile: String?
    /// The time for a connection.
    let connectMilliseconds: Int

    /// Checks the settings.
    init(_ settings: ModelSettings) throws(ModelSettingsError) {
        address = try ChatAddress(base: settings.baseURL).text
        if let proxy = settings.proxy, proxy.isEmpty || !proxy.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
            throw .address(setting: "proxy", reason: "is empty or holds a space or a character outside ASCII")
        }
        proxy = settings.proxy
        authoritiesFile = settings.authoritiesFile
        connectMilliseconds = settings.timeouts.connect.wholeMilliseconds
        var lines = [
            Secret("Content-Type: application/json"), Secret("Accept: text/event-stream"),
            Secret("User-Agent: chalkline"),
            // libcurl would wait a second for leave to send a long prompt.
            Secret("Expect:"),
        ]
        if let key = settings.key, !key.revealed.isEmpty {
            lines.append(try Self.line("Authorization", Secret("Bearer " + key.revealed)))
        }
        for header in settings.headers { lines.append(try Self.line(header.name, header.value)) }
        headerLines = lines
    }

    /// A header line.
    ///
    /// A line break in a value would start another header.
    private static func line(_ name: String, _ value: Secret) throws(ModelSettingsError) -> Secret {
        let allowed = Set("!#$%&'*+-.^_`|~".utf8)
        let isName = name.utf8.allSatisfy {
            allowed.contains($0) || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
        }
        let isValue = value.revealed.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
        guard !name.isEmpty, isName, !value.revealed.isEmpty, isValue else { throw .header(name: name) }
        return Secret(name + ": " + value.revealed)
    }
}

extension Duration {
    /// In whole milliseconds, at least 1; for libcurl, to which 0 means its own default.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let whole = min(max(seconds, 0), 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000
        return max(1, Int(whole))
    }
}
