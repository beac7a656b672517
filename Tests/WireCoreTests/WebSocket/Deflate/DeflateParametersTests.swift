// DeflateParametersTests: what is agreed on for the offers of browsers, and for wrong ones.

import Testing
import WireCore

@Suite("Negotiation of permessage-deflate")
struct DeflateParametersTests {
    /// The value of the answer to a request with this offer; nil when the field is left out.
    private func answer(_ offer: String?, _ policy: DeflatePolicy = DeflatePolicy()) throws -> String? {
        try agreed(offer, policy)?.responseValue
    }

    private func agreed(_ offer: String?, _ policy: DeflatePolicy = DeflatePolicy()) throws -> DeflateParameters? {
        var head = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        if let offer { head += "Sec-WebSocket-Extensions: \(offer)\r\n" }
        var parser = HTTPRequestParser()
        let request = try #require(try parser.receive(([UInt8]((head + "\r\n").utf8)).span).head)
        return DeflateParameters.agree(
            on: try WebSocketHandshake.accept(request).extensionOffers, policy: policy)
    }

    private static let usual = "permessage-deflate; client_no_context_takeover; server_max_window_bits=13"

    @Test(
        "Browsers and libraries get an answer that they accept",
        arguments: [
            // Chromium
            ("permessage-deflate; client_max_window_bits", usual + "; client_max_window_bits=15"),
            // Firefox
            ("permessage-deflate", usual),
            // Safari today, and the name that it used before
            ("permessage-deflate", usual),
            ("x-webkit-deflate-frame", nil),
            ("x-webkit-deflate-frame, permessage-deflate", usual),
            ("", nil),
            (nil, nil),
        ] as [(String?, String?)])
    func browsers(_ offer: String?, _ expected: String?) throws {
        #expect(try answer(offer) == expected)
    }

    @Test(
        "Each parameter is answered as it was asked for",
        arguments: [
            ("server_no_context_takeover", "server_no_context_takeover; client_no_context_takeover", 13),
            ("client_no_context_takeover", "client_no_context_takeover", 13),
            ("server_max_window_bits=9", "client_no_context_takeover", 9),
            ("server_max_window_bits=15", "client_no_context_takeover", 13),
            ("server_max_window_bits=\"10\"", "client_no_context_takeover", 10),
        ] as [(String, String, Int)])
    func parameters(_ offer: String, _ expected: String, _ bits: Int) throws {
        let value = try answer("permessage-deflate; \(offer)")
        #expect(value == "permessage-deflate; \(expected); server_max_window_bits=\(bits)")
    }

    @Test("A client's window is told only to a client that offers to be told, and never as 8")
    func clientWindow() throws {
        var policy = DeflatePolicy()
        policy.clientWindowBits = 11
        #expect(try agreed("permessage-deflate", policy)?.clientWindowBits == 15)
        let free = try #require(try agreed("permessage-deflate; client_max_window_bits", policy))
        #expect(free.clientWindowBits == 11)
        #expect(free.responseValue.hasSuffix("; client_max_window_bits=11"))
        let small = try #require(try agreed("permessage-deflate; client_max_window_bits=10", policy))
        #expect(small.responseValue.hasSuffix("; client_max_window_bits=10"))
        let eight = try #require(try agreed("permessage-deflate; client_max_window_bits=8", policy))
        #expect(eight.responseValue == Self.usual)
        #expect(eight.clientWindowBits == 15)
    }

    @Test(
        "An offer that breaks a rule is declined",
        arguments: [
            "server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16",
            "server_max_window_bits=012", "server_max_window_bits=9x", "server_max_window_bits=-9",
            "client_max_window_bits=7", "client_max_window_bits=16", "client_max_window_bits=08",
            "server_no_context_takeover=1", "client_no_context_takeover=true", "unknown", "level=9",
            "server_no_context_takeover; server_no_context_takeover",
            "server_max_window_bits=9; server_max_window_bits=10", "client_max_window_bits; client_max_window_bits=9",
            // Within the rules, but zlib's raw encoder has no window of 8.
            "server_max_window_bits=8",
        ])
    func declined(_ parameters: String) throws {
        #expect(try answer("permessage-deflate; \(parameters)") == nil)
        // The next offer is a new chance.
        #expect(try answer("permessage-deflate; \(parameters), permessage-deflate") == Self.usual)
    }

    @Test("The first offer that can be taken is taken")
    func order() throws {
        let offers = "permessage-bzip2, permessage-deflate; server_max_window_bits=10, permessage-deflate"
        #expect(try agreed(offers)?.serverWindowBits == 10)
    }

    @Test("A policy can keep the client's context and drop the server's")
    func policy() throws {
        var policy = DeflatePolicy()
        policy.keepsClientContext = true
        policy.keepsServerContext = false
        policy.serverWindowBits = 15
        #expect(try answer("permessage-deflate", policy) == "permessage-deflate; server_no_context_takeover")
        #expect(
            try answer("permessage-deflate; client_no_context_takeover", policy)
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
        // Numbers outside the range are moved into it.
        policy.serverWindowBits = 3
        #expect(try agreed("permessage-deflate", policy)?.serverWindowBits == 9)
    }
}
