// Base64URLTests: one text for some bytes, and no other.
// Spec: RFC 4648 §5, §10

import Testing

@testable import TutorServer

@Suite("Base64URL")
struct Base64URLTests {
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectorOfTheStandardGoesBothWays(plain: String, text: String) {
        #expect(Base64URL.encode([UInt8](plain.utf8)) == text)
        #expect(Base64URL.decode([UInt8](text.utf8)) == [UInt8](plain.utf8))
    }

    @Test func everyByteGoesBothWays() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
            #expect(Base64URL.decode([UInt8](Base64URL.encode(bytes).utf8)) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
    }

    @Test(arguments: ["A", "AAAAA", "Zg==", "Zm8=", "Zh", "Zm9", "a+b/", "ab c", "ab\nc", "äbcd"])
    func otherTextIsRefused(text: String) {
        #expect(Base64URL.decode([UInt8](text.utf8)) == nil)
    }
}
