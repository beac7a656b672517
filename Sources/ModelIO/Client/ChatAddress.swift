// ChatAddress: the address that chat completions are posted to.
// Spec: docs/models.md (settings)

/// The address that chat completions are posted to, made from a base address.
package struct ChatAddress: Sendable, Hashable {
    /// The whole address.
    package let text: String

    /// Checks a base address and adds the path before its query.
    package init(base: String) throws(ModelSettingsError) {
        func wrong(_ reason: String) -> ModelSettingsError { .address(setting: "base URL", reason: reason) }
        let bytes = Array(base.utf8)
        guard !bytes.isEmpty else { throw wrong("is empty") }
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw wrong("holds a space or a character outside ASCII")
        }
        let lowered = base.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lowered.hasPrefix) else {
            throw wrong("does not begin with https:// or http://")
        }
        guard !bytes.contains(UInt8(ascii: "#")) else { throw wrong("has a fragment") }
        let queryStart = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        let authority = bytes[scheme.utf8.count..<queryStart].prefix { $0 != UInt8(ascii: "/") }
        guard !authority.isEmpty else { throw wrong("names no host") }
        // Credentials in an address would be printed with it.
        guard !authority.contains(UInt8(ascii: "@")) else { throw wrong("holds credentials; use the key setting") }
        var path = bytes[..<queryStart]
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        text = String(decoding: path + Array("/chat/completions".utf8) + bytes[queryStart...], as: UTF8.self)
    }
}
