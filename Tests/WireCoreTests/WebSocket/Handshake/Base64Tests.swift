// Base64Tests: the examples of RFC 4648 §10, and what a key may look like.

import Testing
import WireCore

@Suite("RFC 4648 §4 Base64")
struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func encodesAndCounts(plain: String, encoded: String) {
        #expect(Base64.encode([UInt8](plain.utf8)) == encoded)
        #expect(Base64.decodedCount(encoded) == (plain.isEmpty ? nil : plain.utf8.count))
    }

    @Test(arguments: ["=", "A", "AB", "ABC", "A===", "AB=C", "====", "AB C", "AB-_", "AAAAA", "AAAA\n"])
    func refusesOtherText(text: String) {
        #expect(Base64.decodedCount(text) == nil)
    }
}
