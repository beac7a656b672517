// TutorWebService: the routes of the server.
// Spec: docs/protocol.md §1, docs/architecture.md (routes)

internal import NetIO
internal import WireCore

/// The routes: pages, health, and the WebSocket.
///
/// One a shard.
final class TutorWebService: WebService {
    private let files: StaticFiles
    private let origins: OriginPolicy
    private let services: ShardServices
    private let isReady: () -> Bool

    init(
        files: StaticFiles, origins: OriginPolicy, services: ShardServices, isReady: @escaping () -> Bool
    ) {
        self.files = files
        self.origins = origins
        self.services = services
        self.isReady = isReady
    }

    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer {
        switch head.path {
        case "/v1/ws": return webSocket(head, from: peer)
        case "/livez": return .response(Self.plain(.ok, "alive"))
        case "/readyz":
            return .response(isReady() ? Self.plain(.ok, "ready") : Self.plain(.unavailable, "not ready"))
        default:
            return .response(files.answer(head) ?? Self.plain(.notFound, "no such page"))
        }
    }

    private func webSocket(_ head: HTTPRequestHead, from peer: PeerAddress) -> WebAnswer {
        let handshake: WebSocketHandshake
        do throws(HandshakeError) {
            handshake = try WebSocketHandshake.accept(head)
        } catch {
            return .response(error.response)
        }
        guard origins.accepts(origins: head.headers.all("Origin"), from: peer) else {
            return .response(Self.plain(.forbidden, "origin not allowed"))
        }
        guard handshake.subprotocols.contains(Self.subprotocol) else {
            let body = #"{"error":"no subprotocol of this server was offered","versions":["\#(Self.subprotocol)"]}"#
            return .response(
                HTTPResponse(
                    status: .badRequest, headers: HTTPHeaders([("Content-Type", "application/json")]),
                    body: [UInt8]((body + "\n").utf8)))
        }
        return .upgrade(handshake, subprotocol: Self.subprotocol, StudentConnection(services: services))
    }

    private static func plain(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status: status, text: text)
        response.headers.add("Cache-Control", "no-store")
        return response
    }

    /// The version of the protocol.
    static let subprotocol = "chalkline.v1"
}
