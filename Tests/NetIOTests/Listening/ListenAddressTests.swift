// ListenAddressTests: what is a listen address and what is not.

import NetIO
import Testing

@Suite("Listen address")
struct ListenAddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("localhost:1", "127.0.0.1", 1, true),
            ("[::1]:443", "::1", 443, true), ("0.0.0.0:0", "0.0.0.0", 0, false), ("[::]:80", "::", 80, false),
        ] as [(String, String, UInt16, Bool)])
    func reads(text: String, host: String, port: UInt16, isLoopback: Bool) throws {
        let address = try ListenAddress(text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "example.org:80", ":80",
    ])
    func refuses(text: String) {
        #expect(throws: NetError.invalidAddress(text)) { try ListenAddress(text) }
    }

    @Test func secondUnsharedSocketOnAPortIsRefused() throws {
        let first = try ListeningSocket(ListenAddress("127.0.0.1:0"), isShared: false)
        let address = first.address
        #expect(throws: NetError.self) { _ = try ListeningSocket(address, isShared: false) }
        withExtendedLifetime(address) {}
        _ = consume first
    }
}
