// TagRemoval: takes the references out of a summary.
// Spec: docs/architecture.md (what the model says)

extension TagScanner {
    /// A summary without the references that a model put into it.
    static func removingTags(from line: String) -> String {
        var kept = String.UnicodeScalarView()
        var depth = 0
        var previous: Unicode.Scalar = " "
        for scalar in line.unicodeScalars {
            let shape = scalar.tagShape
            if shape == "[", previous == "[" {
                if depth == 0, kept.last?.tagShape == "[" { kept.removeLast() }
                depth = 1
                previous = " "
                continue
            }
            if depth > 0 {
                if shape == "]", previous == "]" { depth = 0 }
                previous = depth == 0 ? " " : shape
                continue
            }
            previous = shape
            if scalar.isInlineSpace, kept.last?.isInlineSpace ?? true { continue }
            kept.append(scalar)
        }
        while let last = kept.last, last.isInlineSpace { kept.removeLast() }
        return String(kept)
    }
}
