// AddressBlock: addresses that begin alike.
// Spec: RFC 4632 §3.1, RFC 4291 §2.3

/// Addresses that begin alike, such as `10.0.0.0/8` or `2001:db8::/32`; without a length one address.
struct AddressBlock: Sendable, Hashable {
    private let first: IPAddress
    private let bits: Int
    /// As it was written.
    let text: String

    /// Reads a block; nil when it is none, or when its address has bits beyond the length, which is a slip of the pen.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = parts.first, let first = IPAddress(start) else { return nil }
        let width = first.isIPv4 ? 32 : 128
        var bits = width
        if parts.count == 2 {
            guard let number = Int(parts[1]), (0...width).contains(number), String(number) == parts[1],
                first.prefix(number) == first
            else { return nil }
            bits = number
        }
        self.first = first
        self.bits = bits
        self.text = text
    }

    /// Whether an address is in it.
    func contains(_ address: IPAddress) -> Bool {
        address.isIPv4 == first.isIPv4 && address.prefix(bits) == first
    }
}
