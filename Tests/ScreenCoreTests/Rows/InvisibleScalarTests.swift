// InvisibleScalarTests: what is hidden from people and what is not.

import ScreenCore
import Testing

@Suite struct InvisibleScalarTests {
    @Test(
        arguments: [
            "\u{0}", "\u{1B}", "\u{7F}", "\u{AD}", "\u{200B}", "\u{200D}", "\u{200E}", "\u{202E}", "\u{2066}",
            "\u{3164}",
            "\u{FE0F}", "\u{FEFF}", "\u{E0041}",
        ] as [Unicode.Scalar])
    func hides(scalar: Unicode.Scalar) { #expect(scalar.isInvisible) }

    @Test(arguments: ["a", " ", "\u{A0}", "é", "中", "ع", "👍", "\u{301}", "\u{3000}"] as [Unicode.Scalar])
    func shows(scalar: Unicode.Scalar) { #expect(!scalar.isInvisible) }
}
