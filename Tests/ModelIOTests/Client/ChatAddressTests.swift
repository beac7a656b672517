// ChatAddressTests: the address that is posted to, and addresses that are refused.
// Spec: docs/models.md (settings)

import ModelIO
import Testing

struct ChatAddressTests {
    @Test(arguments: [
        ("https://models.example/v1", "https://models.example/v1/chat/completions"),
        ("https://models.example/v1/", "https://models.example/v1/chat/completions"),
        ("HTTP://127.0.0.1:8000", "HTTP://127.0.0.1:8000/chat/completions"),
        ("http://[::1]:8000//", "http://[::1]:8000/chat/completions"),
        ("https://a.example/d/x?api-version=1", "https://a.example/d/x/chat/completions?api-version=1"),
    ])
    func addsThePath(base: String, address: String) throws {
        #expect(try ChatAddress(base: base).text == address)
    }

    @Test(arguments: [
        "", "models.example/v1", "ftp://a", "file:///etc/passwd", "https://", "https:///v1", "https://?a",
        "https://me:secret@a/v1", "https://a/v1#x", "https://a b", "https://a/\r\nX: y", "https://例.example",
    ])
    func refuses(base: String) {
        #expect(throws: ModelSettingsError.self) { try ChatAddress(base: base) }
    }

    @Test(arguments: ["a\r\nX-Other: b", "a\nb", "a\u{0}"])
    func refusesALineBreakInAHeader(value: String) {
        var settings = ModelSettings()
        settings.choice = .openai
        settings.baseURL = "http://127.0.0.1:1"
        settings.key = Secret(value)
        #expect(throws: ModelSettingsError.header(name: "Authorization")) {
            try settings.makeClient(host: { _ in }, handler: { _, _ in })
        }
        settings.key = nil
        settings.headers = [ModelHeader(name: "x-a", value: Secret(value))]
        #expect(throws: ModelSettingsError.header(name: "x-a")) {
            try settings.makeClient(host: { _ in }, handler: { _, _ in })
        }
        settings.headers = [ModelHeader(name: "x a:", value: Secret("b"))]
        #expect(throws: ModelSettingsError.header(name: "x a:")) {
            try settings.makeClient(host: { _ in }, handler: { _, _ in })
        }
    }
}
