// Cuts: the same bytes in different pieces.
// Spec: docs/models.md (tests)

/// The same bytes in different pieces.
enum Cuts {
    /// Whole, byte by byte, in two at every place, and in random pieces.
    static func all(of bytes: [UInt8], random: Int = 20) -> [[[UInt8]]] {
        var cuts = [[bytes], bytes.map { [$0] }]
        for place in bytes.indices { cuts.append([Array(bytes[..<place]), Array(bytes[place...])]) }
        for seed in 0..<random { cuts.append(pieces(of: bytes, seed: UInt64(seed), longest: 24)) }
        return cuts
    }

    /// In pieces of 1 to `longest` bytes, the same for the same seed.
    static func pieces(of bytes: [UInt8], seed: UInt64, longest: Int) -> [[UInt8]] {
        var state = seed &* 2_654_435_761 &+ 1
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let size = min(1 + Int((state >> 33) % UInt64(longest)), rest.count)
            pieces.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        return pieces
    }
}
