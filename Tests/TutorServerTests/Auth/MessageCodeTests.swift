// MessageCodeTests: HMAC-SHA256.
// Spec: RFC 4231 §4

import Testing

@testable import TutorServer

@Suite("Message code")
struct MessageCodeTests {
    @Test func firstVectorOfTheStandardIsMet() {
        let code = MessageCode.sha256([UInt8]("Hi There".utf8), secret: [UInt8](repeating: 0x0B, count: 20))
        #expect(Base64URL.encode(code) == "sDRMYdjbOFNcqK_OrwvxK4gdwgDJgz2nJuk3bC4yz_c")
    }

    /// What OpenSSL would otherwise do: take the key of an earlier call.
    @Test func emptySecretIsASecretOfItsOwn() {
        _ = MessageCode.sha256([1], secret: [1, 2, 3])
        #expect(Base64URL.encode(MessageCode.sha256([], secret: [])) == "thNnmggU2ex3L5XXeMNfxf8Wl8STcVZTxscSFEKSxa0")
    }

    @Test func codesAreEqualOnlyByteForByte() {
        #expect(MessageCode.isEqual([1, 2, 3], [1, 2, 3]))
        #expect(!MessageCode.isEqual([1, 2, 3], [1, 2, 4]))
        #expect(!MessageCode.isEqual([1, 2, 3], [1, 2]))
        #expect(MessageCode.isEqual([], []))
    }
}
