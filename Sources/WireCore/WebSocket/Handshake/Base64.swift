// Base64: the text form of the keys in the opening handshake.
// Spec: RFC 4648 §4

/// Base64 with padding, for the keys of the opening handshake.
package enum Base64 {
    private static let alphabet = [UInt8](
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The text of some bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for place in 0..<3 { bits = bits << 8 | (place < group.count ? UInt32(group[start + place]) : 0) }
            for place in 0..<4 {
                let isPadding = place > group.count
                text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - place * 6)) & 63])
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many bytes a text stands for; nil when it is not Base64.
    ///
    /// Left-over bits in the last character are not looked at: they change no byte, and some clients leave them set.
    package static func decodedCount(_ text: String) -> Int? {
        let characters = [UInt8](text.utf8)
        guard !characters.isEmpty, characters.count % 4 == 0 else { return nil }
        let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        guard padding <= 2, characters.dropLast(padding).allSatisfy(alphabet.contains) else { return nil }
        return characters.count / 4 * 3 - padding
    }
}
