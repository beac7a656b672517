// Splits: the ways in which one input is cut into reads.
// Source: the tests of the parsers, which cut their inputs alike

/// Cuts of the same bytes: whole, byte by byte, and at places drawn from the bytes themselves.
///
/// The draw depends on nothing else, so that a finding repeats from its input alone.
enum Splits {
    static func of(_ bytes: [UInt8]) -> [[ArraySlice<UInt8>]] {
        [[bytes[...]], bytes.indices.map { bytes[$0..<$0 + 1] }, drawn(bytes)]
    }

    /// Checks that every cut gives what the whole input gives, and returns that.
    static func agree<Result: Equatable>(
        on bytes: [UInt8], _ name: String, _ run: ([ArraySlice<UInt8>]) -> Result
    ) -> Result {
        let all = of(bytes).map { ($0, run($0)) }
        let whole = all[0].1
        for (pieces, result) in all.dropFirst() {
            invariant(
                result == whole, "\(name): whole gives \(whole), pieces of \(pieces.map(\.count)) give \(result)")
        }
        return whole
    }

    private static func drawn(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        // FNV-1a as the seed, a 64-bit congruential generator for the rest.
        var state = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < bytes.count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // Mostly short pieces, some of up to 256 bytes.
            let longest = state >> 63 == 0 ? 7 : 255
            let end = min(bytes.count, start + 1 + Int(state >> 33) & longest)
            pieces.append(bytes[start..<end])
            start = end
        }
        return pieces
    }
}
