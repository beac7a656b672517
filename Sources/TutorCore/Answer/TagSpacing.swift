// TagSpacing: the white space around removed tags.
// Spec: docs/architecture.md (what the model says)

/// Holds white space until something follows it, so that a removed tag leaves none behind.
///
/// `see [[3]] there` has one space left, `see [[3]].` none, a tag on its own line leaves one line break, and the line
/// break before `[[sum: …]]` goes with it. Text that no tag was removed from keeps its white space as it is.
struct TagSpacing {
    /// Whether a tag was removed and nothing but white space has followed.
    private(set) var isAfterTag = false

    private var hasText = false
    private var before = ""
    private var after = ""
    private var asterisks = 0
    private var isStrong = false

    /// Takes a white space scalar; returns white space to show, when a run is too long to hold.
    mutating func addSpace(_ scalar: Unicode.Scalar) -> String {
        asterisks = 0
        if scalar == "\n" { isStrong = false }
        if isAfterTag { after.unicodeScalars.append(scalar) } else { before.unicodeScalars.append(scalar) }
        if before.utf8.count + after.utf8.count < Self.maximumHeld { return "" }
        return settle(before: nil)
    }

    /// Notes that a tag is removed here.
    mutating func removeTag() {
        if isAfterTag { before = merged }
        after = ""
        isAfterTag = true
    }

    /// Returns the white space to show before the scalar.
    mutating func settle(before next: Unicode.Scalar?) -> String {
        var space = isAfterTag ? merged : before
        if isAfterTag, after.isEmpty, let next, closes(next), !before.unicodeScalars.contains("\n") { space = "" }
        if isAfterTag, !hasText { space = "" }
        before = ""
        after = ""
        isAfterTag = false
        if let next {
            hasText = true
            asterisks = next == "*" ? asterisks + 1 : 0
            if asterisks == 2 { isStrong.toggle() }
        }
        return space
    }

    /// One of the two runs, or the longer line break of both with the later indentation.
    private var merged: String {
        let breaksBefore = before.unicodeScalars.count { $0 == "\n" }
        let breaksAfter = after.unicodeScalars.count { $0 == "\n" }
        if breaksAfter == 0 { return before.isEmpty ? after : before }
        if breaksAfter >= breaksBefore { return after }
        let kept = before.unicodeScalars.reversed().drop { $0 != "\n" }.reversed()
        let indentation = after.unicodeScalars.reversed().prefix { $0 != "\n" }.reversed()
        var text = String.UnicodeScalarView()
        text.append(contentsOf: kept)
        text.append(contentsOf: indentation)
        return String(text)
    }

    /// Whether a space left by a tag looks wrong before the scalar.
    private func closes(_ next: Unicode.Scalar) -> Bool {
        Self.closingMarks.contains(next) || (next == "*" && isStrong)
    }

    private static let closingMarks: Set<Unicode.Scalar> = [
        ".", ",", ";", ":", "!", "?", ")", "]", "}", "\u{201D}", "\u{3002}", "\u{3001}", "\u{FF0C}", "\u{FF1B}",
        "\u{FF1A}", "\u{FF01}", "\u{FF1F}", "\u{FF09}", "\u{300D}", "\u{300F}",
    ]
    /// Longest white space that is held, in bytes.
    private static let maximumHeld = 64
}
