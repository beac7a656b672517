// EditDistance: how far two names are apart.
// Source: Levenshtein 1966

/// How far two names are apart, for "did you mean".
enum EditDistance {
    /// Insertions, removals and replacements of bytes that turn one into the other.
    ///
    /// O(product of the lengths).
    static func between(_ left: String, _ right: String) -> Int {
        let left = Array(left.utf8.prefix(lengthLimit))
        let right = Array(right.utf8.prefix(lengthLimit))
        var row = Array(0...right.count)
        for (i, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, other) in right.enumerated() {
                let replaced = diagonal + (byte == other ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
            }
        }
        return row[right.count]
    }

    /// Names are short; more than this is not compared.
    static let lengthLimit = 64
}
