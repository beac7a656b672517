// TextSearch: whether a text holds another one.

extension String {
    /// Whether a text occurs in this one, byte for byte.
    ///
    /// The standard library's search compares by characters and costs milliseconds for a table of words; here both
    /// sides are lower case already.
    func holds(_ text: String) -> Bool { place(of: text) != nil }

    /// Bytes before the first occurrence of a text.
    func place(of text: String) -> Int? {
        let mine = Array(utf8)
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return 0 }
        guard mine.count >= wanted.count else { return nil }
        for start in 0...(mine.count - wanted.count) where mine[start] == first {
            if mine[start..<(start + wanted.count)].elementsEqual(wanted) { return start }
        }
        return nil
    }
}
