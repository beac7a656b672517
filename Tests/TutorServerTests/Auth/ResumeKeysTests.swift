// ResumeKeysTests: keys that take a session up again.
// Spec: docs/protocol.md §3 (key)

import Testing

@testable import TutorServer

@Suite("Resume keys")
struct ResumeKeysTests {
    private let keys = ResumeKeys(secret: [UInt8](0..<32))

    @Test(arguments: [1, 2, 9, 10, 4_711, Int64.max])
    func keyTellsItsGeneration(generation: Int64) {
        let key = keys.key(session: "s_one", generation: generation)
        #expect(key.hasPrefix("k_\(generation)_"))
        #expect(keys.generation(of: key, session: "s_one") == generation)
    }

    /// Computed with Python: `hmac.new(bytes(range(32)), b"s_one\0" + b"7", "sha256").digest()[:20]`.
    @Test func codeIsThatOfAnotherImplementation() {
        #expect(keys.key(session: "s_one", generation: 7) == "k_7_qIX3Xdev_XmJy-EkQDTZoo58CrU")
    }

    @Test func keyIsGoodForItsSessionAndSecretOnly() {
        let key = keys.key(session: "s_one", generation: 1)
        #expect(keys.generation(of: key, session: "s_two") == nil)
        #expect(ResumeKeys(secret: [UInt8](1..<33)).generation(of: key, session: "s_one") == nil)
        // The zero byte keeps a name's end and the number apart.
        #expect(keys.key(session: "s_one1", generation: 1) != keys.key(session: "s_one", generation: 11))
    }

    @Test func everyChangedCharacterIsRefused() {
        let key = [UInt8](keys.key(session: "s_one", generation: 12).utf8)
        for index in key.indices {
            for bit in 0..<7 as Range<UInt8> {
                var changed = key
                changed[index] ^= 1 << bit
                #expect(keys.generation(of: String(decoding: changed, as: UTF8.self), session: "s_one") == nil)
            }
        }
    }

    @Test(arguments: [
        "", "k", "k_", "k__", "k_1", "k_1_", "k_x_AAAA", "k_0_AAAA", "k_-1_AAAA", "k_9223372036854775808_A",
    ])
    func textThatIsNoKeyIsRefused(text: String) {
        #expect(keys.generation(of: text, session: "s_one") == nil)
    }

    @Test func anotherSpellingOfTheNumberIsRefused() {
        let key = keys.key(session: "s_one", generation: 1)
        for number in ["01", "+1", "1 "] {
            #expect(keys.generation(of: "k_\(number)_\(key.dropFirst(4))", session: "s_one") == nil)
        }
    }

    @Test func longTextIsRefused() {
        let key = keys.key(session: "s_one", generation: 1)
        #expect(keys.generation(of: key + String(repeating: "A", count: 100), session: "s_one") == nil)
        #expect(keys.generation(of: key, session: String(repeating: "s", count: 1_000)) == nil)
    }
}
