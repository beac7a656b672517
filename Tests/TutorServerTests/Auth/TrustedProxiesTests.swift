// TrustedProxiesTests: whose word about a client's address is taken.
// Spec: docs/auth.md (proxies)

import NetIO
import Testing
import WireCore

@testable import TutorServer

@Suite("Trusted proxies")
struct TrustedProxiesTests {
    private func client(
        from peer: String, _ fields: [(String, String)], trusted: [String] = ["10.0.0.0/8", "::1", "2001:db8:5::/48"]
    ) -> ClientAddress {
        TrustedProxies(trusted.compactMap { AddressBlock($0) })
            .client(of: PeerAddress(host: peer, port: 1), HTTPHeaders(fields))
    }

    @Test func strangersCannotNameAnybody() {
        #expect(client(from: "192.0.2.1", [("X-Forwarded-For", "127.0.0.1")]).host == "192.0.2.1")
        #expect(client(from: "192.0.2.1", [("Forwarded", "for=10.0.0.1")]).host == "192.0.2.1")
        #expect(client(from: "192.0.2.1", [("X-Forwarded-Proto", "https")]).isSecure == nil)
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"), ("203.0.113.9:4711", "203.0.113.9"), ("6.6.6.6, 203.0.113.9", "203.0.113.9"),
        ("6.6.6.6, 203.0.113.9, 10.1.2.3", "203.0.113.9"), ("10.0.0.7, 10.0.0.8", "10.0.0.7"),
        ("2001:db8::7", "2001:db8::7"), ("[2001:db8::7]:443", "2001:db8::7"), ("[2001:db8::7]", "2001:db8::7"),
        ("203.0.113.9, evil, 10.0.0.8", "10.0.0.8"), ("unknown", "10.0.0.1"), ("", "10.0.0.1"),
        ("203.0.113.9, ", "203.0.113.9"), ("127.0.0.1", "127.0.0.1"), ("[2001:db8::7", "10.0.0.1"),
    ])
    func rightMostStrangerIsTheClient(value: String, host: String) {
        let client = client(from: "10.0.0.1", [("X-Forwarded-For", value)])
        #expect(client.host == host)
        #expect(!client.isLocal)
    }

    @Test func severalFieldsAreOneList() {
        let fields = [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "10.0.0.3")]
        #expect(client(from: "10.0.0.1", fields).host == "203.0.113.9")
    }

    @Test func standardHeaderIsRead() {
        let value = #"for=6.6.6.6, For="[2001:db8::7]:4711";proto=https;by=10.0.0.1"#
        let seen = client(from: "10.0.0.1", [("Forwarded", value)])
        #expect(seen.host == "2001:db8::7")
        #expect(seen.isSecure == true)
        #expect(client(from: "10.0.0.1", [("Forwarded", "for=_hidden;proto=http")]).host == "10.0.0.1")
    }

    /// A client can send the header that its proxy does not write.
    @Test func headersThatDisagreeNameNobody() {
        let both = [("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=6.6.6.6;proto=https")]
        #expect(client(from: "10.0.0.1", both).host == "10.0.0.1")
        let same = [("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9")]
        #expect(client(from: "10.0.0.1", same).host == "203.0.113.9")
        let schemes = [("X-Forwarded-Proto", "http"), ("Forwarded", "for=203.0.113.9;proto=https")]
        #expect(client(from: "10.0.0.1", schemes).isSecure == nil)
    }

    @Test func proxyOnThisMachineLendsItsPlaceToNobody() {
        #expect(client(from: "::1", [("X-Forwarded-For", "203.0.113.9")]).isLocal == false)
        #expect(client(from: "::1", []).isLocal == false)
        // One that is not on the list, too.
        for field in ["X-Forwarded-For", "Forwarded", "Via"] {
            #expect(client(from: "127.0.0.1", [(field, "x")]).isLocal == false)
        }
        #expect(client(from: "127.0.0.1", []).isLocal)
        #expect(client(from: "127.0.0.1", [], trusted: []).isLocal)
    }

    @Test func longChainsAreCut() {
        let chain = (0..<2_000).map { _ in "10.0.0.2" }.joined(separator: ",")
        #expect(client(from: "10.0.0.1", [("X-Forwarded-For", "203.0.113.9," + chain)]).host == "10.0.0.2")
    }

    @Test func clientsOfOneIPv6CustomerHaveOneKey() {
        func key(_ host: String) -> IPAddress? { ClientAddress(host: host, isLocal: false).key }
        #expect(key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::9"))
        #expect(key("2001:db8:1:2::1") != key("2001:db8:1:3::1"))
        #expect(key("192.0.2.1") != key("192.0.2.2"))
        #expect(key("::ffff:192.0.2.1") == key("192.0.2.1"))
        #expect(key("unknown") == nil)
    }

    @Test(arguments: [
        "10.0.0.0/8", "192.0.2.1", "192.0.2.1/32", "0.0.0.0/0", "::/0", "2001:db8::/32", "::1", "fe80::/65",
    ])
    func blocksAreRead(text: String) {
        #expect(AddressBlock(text)?.text == text)
    }

    @Test(arguments: [
        "", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "10.0.0.1/8", "::/129", "proxy", "10.0.0",
        "10.0.0.0/8/8", "fe80::1%eth0", "2001:db8::1/32",
    ])
    func otherTextIsNoBlock(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test func blockHoldsItsAddressesOnly() throws {
        let block = try #require(AddressBlock("192.0.2.128/25"))
        #expect(try block.contains(#require(IPAddress("192.0.2.128"))))
        #expect(try block.contains(#require(IPAddress("::ffff:192.0.2.255"))))
        #expect(try !block.contains(#require(IPAddress("192.0.2.127"))))
        let six = try #require(AddressBlock("2001:db8::/65"))
        #expect(try six.contains(#require(IPAddress("2001:db8::7fff:0:0:1"))))
        #expect(try !six.contains(#require(IPAddress("2001:db8::8000:0:0:1"))))
        let all = try #require(AddressBlock("0.0.0.0/0"))
        #expect(try all.contains(#require(IPAddress("255.255.255.255"))))
        #expect(try !all.contains(#require(IPAddress("::1"))))
    }
}
