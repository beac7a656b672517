// TextPiecesTests: pieces the size of words that join to the text.
// Spec: docs/models.md (built-in model)

import ModelIO
import Testing

struct TextPiecesTests {
    @Test(
        arguments: [
            ("", []), ("one", ["one"]), ("one two  three\n", ["one ", "two  ", "three\n"]), (" a b", [" ", "a ", "b"]),
            ("第三行不对。", ["第三", "行不", "对。"]), ("看[[3]]，x", ["看[[3]]，", "x"]),
            ("👩‍🔬👩‍🔬👩‍🔬", ["👩‍🔬👩‍🔬", "👩‍🔬"]),
            ("aaaaaaaaaaaaaaaaaaaaaaaabb", ["aaaaaaaaaaaaaaaaaaaaaaaa", "bb"]),
        ] as [(String, [String])])
    func cutsIntoWords(text: String, pieces: [String]) {
        #expect(Array(TextPieces(text: text)) == pieces)
        #expect(Array(TextPieces(text: text)).joined() == text)
    }
}
