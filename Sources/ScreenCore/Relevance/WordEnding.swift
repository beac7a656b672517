// WordEnding: takes the usual English endings off a word.
// Spec: docs/relevance.md (words)

/// Takes the usual English endings off a word, so that "sharing", "shared" and "shares" are one.
///
/// Light on purpose: a wrong cut of a name costs more than a missed form.
enum WordEnding {
    /// The word, in small letters, without its ending.
    static func stripped(_ word: [UInt32]) -> [UInt32] {
        guard word.count > 3, word.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        var stem = withoutPlural(word[...])
        if stem.count > 5, stem.ends(in: "ing") {
            stem = withoutDouble(stem.dropLast(3))
        } else if stem.count > 4, stem.ends(in: "ed") {
            stem = withoutDouble(stem.dropLast(2))
        }
        if stem.count > 4, stem.ends(in: "e") { stem = stem.dropLast() }
        return Array(stem)
    }

    private static func withoutPlural(_ word: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
        guard word.ends(in: "s"), !word.ends(in: "ss"), !word.ends(in: "us"), !word.ends(in: "is") else { return word }
        if word.count > 4, word.ends(in: "ies") { return word.dropLast(3) + [0x79] }
        for ending in ["sses", "shes", "ches", "xes"] where word.ends(in: ending) { return word.dropLast(2) }
        return word.dropLast()
    }

    /// "stopp" of "stopping" becomes "stop".
    private static func withoutDouble(_ stem: ArraySlice<UInt32>) -> ArraySlice<UInt32> {
        guard stem.count > 3, let last = stem.last, stem.dropLast().last == last, !stem.ends(in: "ll"),
            !stem.ends(in: "ss")
        else { return stem }
        return stem.dropLast()
    }
}

extension ArraySlice<UInt32> {
    fileprivate func ends(in ending: String) -> Bool {
        suffix(ending.utf8.count).elementsEqual(ending.utf8.lazy.map(UInt32.init))
    }
}
