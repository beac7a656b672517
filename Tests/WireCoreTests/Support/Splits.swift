// Splits: feeds the same bytes whole, byte by byte and in random pieces, and compares the results.

import Testing

/// SplitMix64, so that a failing split can be repeated from its seed.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Runs a parser over the same bytes in many splits; every split must give what the whole input gives.
///
/// Returns the result for the whole input. The seed of a differing random split stands in the failure.
@discardableResult
func sameInEverySplit<Result: Equatable>(
    _ bytes: [UInt8], rounds: Int = 12, sourceLocation: SourceLocation = #_sourceLocation,
    _ run: ([[UInt8]]) -> Result
) -> Result {
    let whole = run([bytes])
    let single = run(bytes.map { [$0] })
    #expect(single == whole, "byte by byte differs from whole", sourceLocation: sourceLocation)
    let seed = UInt64.random(in: .min ... .max)
    var generator = SeededGenerator(seed: seed)
    for round in 0..<rounds {
        let pieces = randomPieces(of: bytes, using: &generator)
        #expect(
            run(pieces) == whole, "seed \(seed), round \(round), sizes \(pieces.map(\.count))",
            sourceLocation: sourceLocation)
    }
    return whole
}

/// Cuts bytes at random places; some pieces are tiny, some are long.
func randomPieces(of bytes: [UInt8], using generator: inout SeededGenerator) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var start = 0
    let longest = Int.random(in: 1...max(1, bytes.count), using: &generator)
    while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...longest, using: &generator))
        pieces.append([UInt8](bytes[start..<end]))
        start = end
    }
    return pieces
}
