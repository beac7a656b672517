// SplitMix64: a small seeded generator of numbers.
// Spec: docs/session.md (determinism)

/// A small seeded generator: the same seed gives the same numbers, so that a recorded session replays identically.
///
/// Not for secrets: whoever sees one number knows all that follow.
public struct SplitMix64: RandomNumberGenerator, Sendable, Hashable {
    private var state: UInt64

    /// Starts at a seed; every seed is good, 0 too.
    public init(seed: UInt64) { state = seed }

    /// The next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Eight lower-case hexadecimal digits, for a fence that screen text cannot foresee.
    public mutating func nextNonce() -> String {
        let digits = String(next() >> 32, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }
}
