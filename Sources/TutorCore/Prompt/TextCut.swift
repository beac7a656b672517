// TextCut: cuts a text between characters.
// Spec: docs/architecture.md (what the model sees)

/// Cuts a text between characters, so that no emoji, accent or joined letter is torn apart.
enum TextCut {
    /// The text, or as many of its first characters as fit together with the `…` that marks the cut.
    static func cut(_ text: String, toBytes limit: Int) -> String {
        if text.utf8.count <= limit { return text }
        let room = limit - mark.utf8.count
        var kept = ""
        var byteCount = 0
        for character in text {
            byteCount += character.utf8.count
            if byteCount > room { break }
            kept.append(character)
        }
        while kept.last?.isWhitespace ?? false { kept.removeLast() }
        return room < 0 ? "" : kept + mark
    }

    private static let mark = "…"
}
