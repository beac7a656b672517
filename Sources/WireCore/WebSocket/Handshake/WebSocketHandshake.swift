// WebSocketHandshake: the server's side of the opening handshake.
// Spec: RFC 6455 §4.2

/// A request that may become a WebSocket: what the client offered, and the answer that takes it up.
public struct WebSocketHandshake: Sendable, Hashable {
    /// The subprotocols that the client offered, in its order, all different.
    public var subprotocols: [String]

    /// The extensions that the client offered, in its order.
    ///
    /// None is used unless the answer names it.
    public var extensionOffers: [WebSocketExtensionOffer]

    /// The value of `Sec-WebSocket-Accept`.
    public var acceptKey: String

    /// Checks a request against RFC 6455 §4.2.1.
    ///
    /// Origin, path, token and load are the caller's to judge, before or after. The first rule that is broken is the
    /// error.
    public static func accept(_ head: HTTPRequestHead) throws(HandshakeError) -> WebSocketHandshake {
        let headers = head.headers
        guard head.method == .get else { throw .notGet }
        guard head.isHTTP11 else { throw .notHTTP11 }
        guard headers.lists("websocket", in: "Upgrade") else { throw .notWebSocket }
        // Firefox sends `keep-alive, Upgrade`.
        guard headers.lists("upgrade", in: "Connection") else { throw .connectionNotUpgrade }
        let versions = headers.all("Sec-WebSocket-Version")
        guard versions == ["13"] else { throw .unsupportedVersion }
        let keys = headers.all("Sec-WebSocket-Key")
        guard keys.count == 1, let key = keys.first, Base64.decodedCount(key) == 16 else { throw .invalidKey }
        return WebSocketHandshake(
            subprotocols: try subprotocols(headers), extensionOffers: try extensionOffers(headers),
            acceptKey: acceptKey(for: key))
    }

    /// The first of the client's subprotocols that is among `supported`.
    public func chooseSubprotocol(from supported: [String]) -> String? {
        subprotocols.first(where: supported.contains)
    }

    /// Appends the 101 answer.
    ///
    /// The next byte on the connection is the first of a frame.
    ///
    /// `subprotocol` must be one that was offered; another is left out, since the client would have to fail the
    /// connection. `extensions` is the value that names the extensions taken up; without it the field is left out
    /// altogether, because an empty one makes Safari fail the connection.
    public func appendResponse(
        to output: inout [UInt8], subprotocol: String? = nil, extensions: String? = nil,
        headers: HTTPHeaders = HTTPHeaders()
    ) {
        var fields = HTTPHeaders([
            ("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Accept", acceptKey),
        ])
        if let subprotocol, subprotocols.contains(subprotocol) { fields.add("Sec-WebSocket-Protocol", subprotocol) }
        if let extensions, !extensions.isEmpty { fields.add("Sec-WebSocket-Extensions", extensions) }
        let status = HTTPStatus.switchingProtocols
        output.append(contentsOf: "HTTP/1.1 \(status.rawValue) \(status.reason)\r\n".utf8)
        for field in fields.fields + headers.fields { HTTPResponse.append(field, to: &output) }
        output.append(contentsOf: "\r\n".utf8)
    }

    /// The accept key for a client's key: the digest of the key and a fixed text (RFC 6455 §4.2.2).
    public static func acceptKey(for key: String) -> String {
        Base64.encode(SHA1.digest(of: [UInt8]("\(key)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    private static func subprotocols(_ headers: HTTPHeaders) throws(HandshakeError) -> [String] {
        let offered = headers.list("Sec-WebSocket-Protocol")
        guard offered.allSatisfy({ FieldGrammar.isToken($0.utf8) }), Set(offered).count == offered.count else {
            throw .invalidSubprotocols
        }
        return offered
    }

    private static func extensionOffers(_ headers: HTTPHeaders) throws(HandshakeError) -> [WebSocketExtensionOffer] {
        var offers: [WebSocketExtensionOffer] = []
        for value in headers.all("Sec-WebSocket-Extensions") {
            guard let more = WebSocketExtensionOffer.parse(value) else { throw .invalidExtensions }
            offers += more
        }
        return offers
    }
}
