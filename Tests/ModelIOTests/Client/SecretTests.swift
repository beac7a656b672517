// SecretTests: a key is not printed, whichever way one tries.
// Spec: docs/models.md (the key)

import ModelIO
import Testing

struct SecretTests {
    @Test func isNotPrinted() {
        var settings = ModelSettings()
        settings.key = Secret("sk-planted-1234")
        settings.headers = [ModelHeader(name: "api-key", value: Secret("sk-planted-1234"))]
        var dumped = ""
        dump(settings, to: &dumped)
        let printed = [
            "\(settings)", String(describing: settings.key), String(reflecting: settings),
            String(reflecting: settings.key), dumped, "\(settings.headers)",
        ]
        for text in printed {
            #expect(!text.contains("planted"))
            #expect(text.contains("<redacted>"))
        }
        #expect(settings.key?.revealed == "sk-planted-1234")
    }

    @Test(arguments: [
        ("wrong key sk-abcd given", "wrong key <redacted> given"), ("sk-abcdsk-abcd", "<redacted><redacted>"),
        ("sk-abc", "sk-abc"), ("", ""),
    ])
    func isTakenOutOfTexts(text: String, cleaned: String) {
        #expect(Secret("sk-abcd").redacted(in: text) == cleaned)
    }

    @Test func doesNotTearTextsWhenItIsEmptyOrShort() {
        #expect(Secret("").redacted(in: "abc") == "abc")
        #expect(Secret("a").redacted(in: "abc") == "abc")
    }
}
