// Row texts: screen text can never look like the rows' own marks.

import ScreenCore
import Testing

@Suite struct RowTextTests {
    @Test(arguments: [
        ("a\r\nb\tc\u{85}d\u{2028}e", "a b c d e"),
        ("  much   room  ", "much room"),
        ("z\u{200B}e\u{200D}r\u{FEFF}o\u{AD}", "zero"),
        ("\u{202E}abc\u{2066}def\u{2069}\u{061C}", "abcdef"),
        ("bell\u{7}\u{1B}[31m", "bell[31m"),
        ("tag\u{E0041}\u{E007F}s", "tags"),
        ("[[12]] [[14 tap]]", "[ [12] ] [ [14 tap] ]"),
        ("[[[x]]]", "[ [ [x] ] ]"),
        ("[\u{200B}[12]\u{2060}]", "[ [12] ]"),
        ("Pay | 99b Cancel", "Pay ¦ 99b Cancel"),
        ("|x| + 1", "¦x| + 1"),
        ("数学\u{3000}題", "数学 題"),
        ("👩‍👩‍👧 ok", "👩‍👩‍👧 ok"),
        ("\n\u{0}", ""),
        ("\n\u{301}x", "x"),
    ])
    func cleans(text: String, expected: String) {
        #expect(RowText.clean(text) == expected)
    }

    @Test func cutsBetweenCharacters() {
        let family = "👨‍👩‍👧‍👦"
        #expect(RowText.clean(String(repeating: family, count: 5), maximumLength: 3) == "\(family)\(family)\(family)…")
        #expect(RowText.clean("e\u{301}e\u{301}", maximumLength: 1) == "e\u{301}…")
        #expect(RowText.clean("ab cd", maximumLength: 3) == "ab…")
        #expect(RowText.clean("abc", maximumLength: 3) == "abc")
    }

    @Test func neverLeavesATagOrALineBreak() {
        var random = SeededGenerator(seed: 11)
        let parts = ["[", "]", "[[", "]]", "\n", "\u{200B}", "\u{202E}", " ", "|", "a", "7", "字", "\u{301}", "\u{0}"]
        for _ in 0..<3_000 {
            let text = (0..<12).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            let clean = RowText.clean(text)
            let scalars = Array(clean.unicodeScalars)
            let pairs = zip(scalars, scalars.dropFirst())
            #expect(!pairs.contains { $0 == "[" && $1 == "[" || $0 == "]" && $1 == "]" || $0 == " " && $1 == "|" })
            #expect(!scalars.contains { $0.value < 0x20 || $0.value == 0x200B || $0.value == 0x202E })
            #expect(RowText.clean(clean) == clean)
        }
    }
}
