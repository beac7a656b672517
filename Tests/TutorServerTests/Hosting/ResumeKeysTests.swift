// ResumeKeysTests: only the server's own keys are keys.

import Testing

@testable import TutorServer

struct ResumeKeysTests {
    private let keys = ResumeKeys(secret: [UInt8](repeating: 7, count: 32))

    @Test func keyGivesItsGenerationBack() {
        for generation: Int64 in [0, 1, 2, 10, .max] {
            #expect(keys.generation(of: keys.key(session: "s_1", generation: generation), session: "s_1") == generation)
        }
    }

    @Test func anythingElseIsNoKey() {
        let key = keys.key(session: "s_1", generation: 3)
        #expect(keys.generation(of: key, session: "s_2") == nil)
        #expect(ResumeKeys(secret: [UInt8](repeating: 8, count: 32)).generation(of: key, session: "s_1") == nil)
        let changed = String(key.dropLast()) + (key.hasSuffix("0") ? "1" : "0")
        let raised = key.replacing("k_3.", with: "k_4.")
        let padded = key.replacing("k_3.", with: "k_03.")
        let texts = [
            "", "k_", "k_3", "k_3.", "k_-1.00", String(key.dropLast()), key + "0", changed, raised, padded,
            String(repeating: "k_1.", count: 10_000),
        ]
        for text in texts { #expect(keys.generation(of: text, session: "s_1") == nil) }
    }
}
