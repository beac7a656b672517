// OriginPolicyTests: which pages may open a WebSocket.

import NetIO
import Testing

@testable import TutorServer

@Suite("Origin policy")
struct OriginPolicyTests {
    private let here = PeerAddress(host: "127.0.0.1", port: 40_000)
    private let elsewhere = PeerAddress(host: "192.0.2.7", port: 40_000)

    private func policy() throws -> OriginPolicy {
        OriginPolicy(own: try ListenAddress("127.0.0.1:8080"), allowed: ["https://school.example"])
    }

    @Test(arguments: [
        "http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "https://school.example",
    ])
    func acceptsItsOwnAddressesAndTheList(origin: String) throws {
        #expect(try policy().accepts(origins: [origin], from: ClientAddress(elsewhere), hasToken: false))
    }

    @Test(arguments: [
        ("127.0.0.1:80", "http://127.0.0.1"), ("127.0.0.1:80", "http://localhost"), ("[::1]:80", "http://[::1]"),
        ("127.0.0.2:8080", "http://127.0.0.2:8080"),
    ])
    func acceptsItsOwnAddressAsABrowserSpellsIt(address: String, origin: String) throws {
        let policy = OriginPolicy(own: try ListenAddress(address), allowed: [])
        #expect(policy.accepts(origins: [origin], from: ClientAddress(here), hasToken: false))
    }

    @Test(arguments: [
        "", "null", "http://127.0.0.1", "http://127.0.0.1:80", "https://127.0.0.1:8080", "HTTP://127.0.0.1:8080",
        "http://127.0.0.1:8080/", "http://127.0.0.1:8080.evil.example", "http://evil.example",
        "https://school.example:443",
        "https://School.example", "https://a.school.example", "https://school.example.evil.example", "file://",
    ])
    func refusesEverythingElse(origin: String) throws {
        #expect(try !policy().accepts(origins: [origin], from: ClientAddress(here), hasToken: false))
    }

    @Test(arguments: [
        ("127.0.0.1:8443", "https://localhost:8443"), ("127.0.0.1:443", "https://127.0.0.1"),
        ("[::1]:443", "https://[::1]"),
    ])
    func withTLSItsOwnAddressesAreHTTPS(address: String, origin: String) throws {
        let policy = OriginPolicy(own: try ListenAddress(address), isSecure: true, allowed: [])
        #expect(policy.accepts(origins: [origin], from: ClientAddress(here), hasToken: false))
        #expect(!policy.accepts(origins: ["http\(origin.dropFirst(5))"], from: ClientAddress(here), hasToken: false))
    }

    @Test func withoutAnOriginOnlyThisMachineIsAccepted() throws {
        #expect(try policy().accepts(origins: [], from: ClientAddress(here), hasToken: false))
        #expect(try !policy().accepts(origins: [], from: ClientAddress(elsewhere), hasToken: false))
    }

    @Test func withoutAnOriginATokenIsEnough() throws {
        #expect(try policy().accepts(origins: [], from: ClientAddress(elsewhere), hasToken: true))
        // A page of a foreign site may have got hold of a token: its origin decides all the same.
        for origin in ["http://evil.example", "null", "*", ""] {
            #expect(try !policy().accepts(origins: [origin], from: ClientAddress(here), hasToken: true))
        }
    }

    @Test func behindAProxyTheSchemeIsTheProxys() throws {
        let secure = ClientAddress(host: "192.0.2.7", isLocal: false, isSecure: true)
        let plain = ClientAddress(host: "192.0.2.7", isLocal: false, isSecure: false)
        #expect(try policy().accepts(origins: ["https://127.0.0.1:8080"], from: secure, hasToken: false))
        #expect(try !policy().accepts(origins: ["http://127.0.0.1:8080"], from: secure, hasToken: false))
        #expect(try policy().accepts(origins: ["http://127.0.0.1:8080"], from: plain, hasToken: false))
        #expect(try policy().accepts(origins: ["https://school.example"], from: plain, hasToken: false))
    }

    /// Spellings by which other servers were fooled: look-alikes by prefix and suffix, case, ports, user names, wildcards.
    @Test(arguments: [
        "*", "https://*", "https://*.example", "https://school.example.", "https://school.example/",
        "https://school.example?", "https://school.example#", "https://school.example:80", "https://school.example:",
        "https://school.example@evil.example", "https://evil.example@school.example", "https://school.exampl",
        "https://school.examplee", "https://xschool.example", "https://school-example", "https://schoolxexample",
        "https://school.example evil.example", " https://school.example", "https://school.example ",
        "HTTPS://school.example", "https://SCHOOL.example", "https:/school.example", "https//school.example",
        "//school.example", "school.example", "wss://school.example", "ws://127.0.0.1:8080", "http://school.example",
        "https://school.example,https://school.example", "https://school.example\u{0}", "http://127.0.0.1:08080",
        "http://127.1:8080", "http://2130706433:8080", "http://0.0.0.0:8080", "http://localhost.evil.example:8080",
        "http://localhost:80800", "http://localhost", "http://[::ffff:127.0.0.1]:8080", "undefined", "Null", "data:",
    ])
    func lookAlikesAreRefused(origin: String) throws {
        #expect(try !policy().accepts(origins: [origin], from: ClientAddress(here), hasToken: true))
    }

    @Test func twoOriginsAreRefused() throws {
        #expect(
            try !policy().accepts(
                origins: ["http://localhost:8080", "http://localhost:8080"], from: ClientAddress(here), hasToken: false)
        )
    }
}
