// TextLikeness: how much two texts have in common.
// Spec: docs/screen.md (identity)

/// How much two texts have in common: the share of adjacent pairs of characters that both have (Dice).
enum TextLikeness {
    /// Characters that are looked at; the rest of a long text adds little.
    static let examined = 200

    /// 0: nothing in common, 1: the same pairs.
    static func share(_ left: String, _ right: String) -> Double {
        if left == right { return 1 }
        let leftPairs = pairs(left)
        let rightPairs = pairs(right)
        guard !leftPairs.isEmpty, !rightPairs.isEmpty else { return 0 }
        let common = leftPairs.intersection(rightPairs).count
        return 2 * Double(common) / Double(leftPairs.count + rightPairs.count)
    }

    private static func pairs(_ text: String) -> Set<UInt64> {
        var pairs: Set<UInt64> = []
        var last: UInt64 = 0
        for scalar in text.unicodeScalars.prefix(examined) {
            let value = UInt64(scalar.value)
            pairs.insert(last << 32 | value)
            last = value
        }
        return pairs
    }
}
