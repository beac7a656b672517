// SplitMix64Tests: a small seeded generator of numbers.
// Spec: docs/session.md (determinism)

import Testing
import TutorCore

@Suite struct SplitMix64Tests {
    /// The first numbers of the published reference program for the seed 1234567.
    @Test func givesTheReferenceNumbers() {
        var random = SplitMix64(seed: 1_234_567)
        let numbers = (0..<5).map { _ in random.next() }
        #expect(
            numbers == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test func noncesAreEightHexadecimalDigitsAndDiffer() {
        var random = SplitMix64(seed: 0)
        var seen: Set<String> = []
        for _ in 0..<1_000 {
            let nonce = random.nextNonce()
            #expect(nonce.utf8.count == 8)
            #expect(nonce.allSatisfy { $0.isHexDigit && !$0.isUppercase })
            seen.insert(nonce)
        }
        #expect(seen.count == 1_000)
    }
}
