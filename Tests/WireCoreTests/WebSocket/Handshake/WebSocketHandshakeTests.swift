// WebSocketHandshakeTests: which requests become a WebSocket, and the answers to all others.

import Testing
import WireCore

@Suite("RFC 6455 §4.2 opening handshake")
struct WebSocketHandshakeTests {
    private static let standard = [
        ("Host", "server.example.com"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
    ]

    private func head(
        _ method: String = "GET", version: String = "HTTP/1.1", without missing: String? = nil,
        adding extra: [(String, String)] = []
    ) throws -> HTTPRequestHead {
        var request = "\(method) /v1/ws \(version)\r\n"
        for (name, value) in Self.standard.filter({ $0.0 != missing }) + extra { request += "\(name): \(value)\r\n" }
        var parser = HTTPRequestParser()
        return try #require(try parser.receive([UInt8]("\(request)\r\n".utf8)).head)
    }

    /// The example of RFC 6455 §1.3.
    @Test func acceptsTheExampleOfTheStandard() throws {
        let handshake = try WebSocketHandshake.accept(try head(adding: [("Sec-WebSocket-Protocol", "chat, superchat")]))
        #expect(handshake.acceptKey == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(handshake.subprotocols == ["chat", "superchat"])
        var output: [UInt8] = []
        handshake.appendResponse(to: &output, subprotocol: "chat")
        let answer =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: chat\r\n\r\n"
        #expect(String(decoding: output, as: UTF8.self) == answer)
    }

    /// F03: forms that browsers and proxies send.
    @Test(arguments: [
        ("Connection", "keep-alive, Upgrade"), ("Connection", "upgrade"), ("Connection", "Upgrade , keep-alive"),
        ("Connection", ",, UPGRADE,"), ("Upgrade", "WebSocket"), ("Upgrade", "h2c, websocket"),
    ])
    func acceptsListsInAnyCase(name: String, value: String) throws {
        let handshake = try WebSocketHandshake.accept(try head(without: name, adding: [(name, value)]))
        #expect(handshake.acceptKey == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test func acceptsAListOverSeveralFields() throws {
        let fields = [("Connection", "keep-alive"), ("Connection", "Upgrade")]
        _ = try WebSocketHandshake.accept(try head(without: "Connection", adding: fields))
    }

    /// F03: what is missing or odd, and the status that it gets.
    @Test(
        arguments: [
            ("Upgrade", [], HandshakeError.notWebSocket, 400),
            ("Upgrade", ["h2c"], .notWebSocket, 400),
            ("Upgrade", ["websocket2"], .notWebSocket, 400),
            ("Upgrade", ["web socket"], .notWebSocket, 400),
            ("Connection", [], .connectionNotUpgrade, 400),
            ("Connection", ["keep-alive"], .connectionNotUpgrade, 400),
            ("Connection", ["upgraded"], .connectionNotUpgrade, 400),
            ("Sec-WebSocket-Key", [], .invalidKey, 400),
            ("Sec-WebSocket-Key", [""], .invalidKey, 400),
            ("Sec-WebSocket-Key", ["dGhlIHNhbXBsZSBub25jZQ"], .invalidKey, 400),
            ("Sec-WebSocket-Key", ["AAAAAAAAAAAAAAAAAAAA"], .invalidKey, 400),
            ("Sec-WebSocket-Key", ["AAAAAAAAAAAAAAAAAAAAAAA="], .invalidKey, 400),
            ("Sec-WebSocket-Key", ["AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAAA=="], .invalidKey, 400),
            ("Sec-WebSocket-Key", ["AAAAAAAAAAAAAAAAAAAAA!=="], .invalidKey, 400),
            ("Sec-WebSocket-Version", [], .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", ["8"], .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", ["14"], .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", ["013"], .unsupportedVersion, 426),
            ("Sec-WebSocket-Version", ["13", "13"], .unsupportedVersion, 426),
            ("Sec-WebSocket-Protocol", ["a b"], .invalidSubprotocols, 400),
            ("Sec-WebSocket-Protocol", ["a, a"], .invalidSubprotocols, 400),
            ("Sec-WebSocket-Protocol", ["a", "b", "a"], .invalidSubprotocols, 400),
            ("Sec-WebSocket-Extensions", ["permessage-deflate; ="], .invalidExtensions, 400),
            ("Sec-WebSocket-Extensions", ["a b"], .invalidExtensions, 400),
        ] as [(String, [String], HandshakeError, Int)])
    func refuses(name: String, values: [String], error: HandshakeError, status: Int) throws {
        let request = try head(without: name, adding: values.map { (name, $0) })
        #expect(throws: error) { try WebSocketHandshake.accept(request) }
        #expect(error.status.rawValue == status)
    }

    @Test func refusesOtherMethodsAndHTTP10() throws {
        let post = try head("POST")
        #expect(throws: HandshakeError.notGet) { try WebSocketHandshake.accept(post) }
        #expect(HandshakeError.notGet.response.headers.first("allow") == "GET")
        let old = try head(version: "HTTP/1.0")
        #expect(throws: HandshakeError.notHTTP11) { try WebSocketHandshake.accept(old) }
    }

    @Test func namesTheVersionThatIsSpoken() {
        let response = HandshakeError.unsupportedVersion.response
        #expect(response.status == .upgradeRequired)
        #expect(response.headers.first("sec-websocket-version") == "13")
    }

    // A07: no extension taken up, no extension field.
    @Test(arguments: [nil, ""] as [String?])
    func writesNoEmptyExtensionField(extensions: String?) throws {
        let request = try head(adding: [("Sec-WebSocket-Extensions", "x-webkit-deflate-frame")])
        let handshake = try WebSocketHandshake.accept(request)
        #expect(handshake.extensionOffers == [WebSocketExtensionOffer(name: "x-webkit-deflate-frame", parameters: [])])
        var output: [UInt8] = []
        handshake.appendResponse(to: &output, extensions: extensions)
        #expect(!String(decoding: output, as: UTF8.self).contains("Extensions"))
    }

    @Test func readsExtensionOffersAsValues() throws {
        let request = try head(adding: [
            (
                "Sec-WebSocket-Extensions",
                "permessage-deflate; client_max_window_bits; server_max_window_bits=\"10\", foo"
            ),
            ("Sec-WebSocket-Extensions", "permessage-deflate ; a = b"),
        ])
        let offers = try WebSocketHandshake.accept(request).extensionOffers
        #expect(offers.map(\.name) == ["permessage-deflate", "foo", "permessage-deflate"])
        #expect(
            offers[0].parameters == [
                .init(name: "client_max_window_bits", value: nil), .init(name: "server_max_window_bits", value: "10"),
            ])
        #expect(offers[2].parameters == [.init(name: "a", value: "b")])
    }

    // The token rides as a subprotocol and never comes back.
    @Test func answersOnlyWithAnOfferedSubprotocol() throws {
        let request = try head(adding: [("Sec-WebSocket-Protocol", "bearer.aGk.eyJ9-_.c2ln, chalkline.v1")])
        let handshake = try WebSocketHandshake.accept(request)
        #expect(handshake.subprotocols == ["bearer.aGk.eyJ9-_.c2ln", "chalkline.v1"])
        #expect(handshake.chooseSubprotocol(from: ["chalkline.v2", "chalkline.v1"]) == "chalkline.v1")
        #expect(handshake.chooseSubprotocol(from: ["chat"]) == nil)
        var output: [UInt8] = []
        handshake.appendResponse(to: &output, subprotocol: "chat")
        #expect(!String(decoding: output, as: UTF8.self).contains("Protocol:"))
    }

    // A04: frames in the same segment as the head are left to the caller.
    @Test func framesBehindTheHeadAreNotLost() throws {
        let request =
            "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        let bytes = [UInt8](request.utf8) + text("hello") + frame(9, [1])
        for cut in 0...bytes.count {
            var parser = HTTPRequestParser()
            var peer = Peer()
            var seen: [Seen] = []
            var isOpen = false
            for piece in [[UInt8](bytes[..<cut]), [UInt8](bytes[cut...])] {
                var rest = piece
                if !isOpen {
                    let progress = try parser.receive(piece)
                    rest = [UInt8](piece[progress.consumed...])
                    isOpen = progress.head != nil
                }
                if isOpen { seen += peer.receive(rest) }
            }
            #expect(seen == [.text("hello")], "cut at \(cut)")
            #expect(peer.takeOutput() == [0x8A, 1, 1], "cut at \(cut)")
        }
    }
}
