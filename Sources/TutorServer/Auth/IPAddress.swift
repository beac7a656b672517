// IPAddress: a numeric address as a number.
// Spec: RFC 4291

internal import Glibc

/// A numeric address as a number, of either family; an IPv4 address written as IPv6 (`::ffff:…`) is the IPv4 address.
struct IPAddress: Sendable, Hashable {
    /// Whether it is an IPv4 address, which then lies in the low 32 bits.
    let isIPv4: Bool
    let high: UInt64
    let low: UInt64

    private init(isIPv4: Bool, high: UInt64, low: UInt64) {
        self.isIPv4 = isIPv4
        self.high = high
        self.low = low
    }

    /// Reads the text of an address; nil for anything else, a name or a zone too.
    init?(_ text: some StringProtocol) {
        guard text.utf8.count <= Self.textLimit else { return nil }
        var ip4 = in_addr()
        var ip6 = in6_addr()
        let text = String(text)
        if inet_pton(AF_INET, text, &ip4) == 1 {
            self.init(isIPv4: true, high: 0, low: UInt64(UInt32(bigEndian: ip4.s_addr)))
            return
        }
        guard inet_pton(AF_INET6, text, &ip6) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &ip6) { Array($0) }
        let high = bytes[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let low = bytes[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if high == 0, low >> 32 == 0xFFFF {
            self.init(isIPv4: true, high: 0, low: low & 0xFFFF_FFFF)
        } else {
            self.init(isIPv4: false, high: high, low: low)
        }
    }

    /// Whether it is this machine.
    var isLoopback: Bool { isIPv4 ? low >> 24 == 127 : high == 0 && low == 1 }

    /// The address with all but its first bits cleared; 0 to 32 bits of IPv4, 0 to 128 of IPv6.
    func prefix(_ bits: Int) -> IPAddress {
        if isIPv4 { return IPAddress(isIPv4: true, high: 0, low: Self.clear(32 - bits, of: low)) }
        if bits <= 64 { return IPAddress(isIPv4: false, high: Self.clear(64 - bits, of: high), low: 0) }
        return IPAddress(isIPv4: false, high: high, low: Self.clear(128 - bits, of: low))
    }

    /// The word without its lowest bits; a shift by the whole width gives 0.
    private static func clear(_ bits: Int, of word: UInt64) -> UInt64 { (word >> bits) << bits }

    /// What counts as one client: an IPv4 address, or 64 bits of an IPv6 one, which is the least that a customer gets.
    var client: IPAddress { isIPv4 ? self : prefix(64) }

    /// Longest text that is looked at, in bytes.
    private static let textLimit = 64
}
