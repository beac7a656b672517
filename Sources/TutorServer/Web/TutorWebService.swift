// TutorWebService: the routes of the server.
// Spec: docs/protocol.md §1, docs/architecture.md (routes)

internal import NetIO
internal import WireCore

/// The routes: pages, health, and the WebSocket.
///
/// One a shard.
final class TutorWebService: WebService {
    private let files: StaticFiles
    private let gate: WebGate
    private let services: ShardServices
    /// The value of `Strict-Transport-Security` (RFC 6797); nil to say nothing.
    private let strictTransport: String?
    private let isReady: () -> Bool

    init(
        files: StaticFiles, gate: WebGate, services: ShardServices, strictTransport: String? = nil,
        isReady: @escaping () -> Bool
    ) {
        self.files = files
        self.gate = gate
        self.services = services
        self.strictTransport = strictTransport
        self.isReady = isReady
    }

    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer {
        let answer = route(head, from: peer)
        guard let strictTransport, case .response(var response) = answer else { return answer }
        response.headers.add("Strict-Transport-Security", strictTransport)
        return .response(response)
    }

    private func route(_ head: HTTPRequestHead, from peer: PeerAddress) -> WebAnswer {
        switch head.path {
        case "/v1/ws": return webSocket(head, from: peer)
        case "/v1/records": return services.exports.answer(head)
        case "/livez": return .response(health(head, isGood: true, "alive"))
        case "/readyz":
            let isReady = isReady()
            return .response(health(head, isGood: isReady, isReady ? "ready" : "not ready"))
        default:
            return .response(files.answer(head) ?? Self.plain(.notFound, "no such page"))
        }
    }

    private func health(_ head: HTTPRequestHead, isGood: Bool, _ text: String) -> HTTPResponse {
        StaticFiles.refusal(of: head.method) ?? Self.plain(isGood ? .ok : .unavailable, text)
    }

    private func webSocket(_ head: HTTPRequestHead, from peer: PeerAddress) -> WebAnswer {
        guard !services.isDraining else { return .refusal(.comeAgain(in: 2, "the server is about to stop")) }
        let handshake: WebSocketHandshake
        do throws(HandshakeError) {
            handshake = try WebSocketHandshake.accept(head)
        } catch {
            return .refusal(error.response)
        }
        let visitor: WebGate.Visitor
        do throws(WebGate.Refusal) {
            visitor = try gate.admit(head, subprotocols: handshake.subprotocols, from: peer)
        } catch {
            return .refusal(Self.plain(error.answer.status, error.answer.text))
        }
        guard let subprotocol = handshake.chooseSubprotocol(from: [Self.subprotocol]) else {
            let body = #"{"error":"no subprotocol of this server was offered","versions":["\#(Self.subprotocol)"]}"#
            return .refusal(
                HTTPResponse(
                    status: .badRequest, headers: HTTPHeaders([("Content-Type", "application/json")]),
                    body: [UInt8]((body + "\n").utf8)))
        }
        return .upgrade(handshake, subprotocol: subprotocol, StudentConnection(services: services, visitor: visitor))
    }

    private static func plain(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status: status, text: text)
        response.headers.add("Cache-Control", "no-store")
        response.headers.add("X-Content-Type-Options", "nosniff")
        return response
    }

    /// The version of the protocol.
    static let subprotocol = "chalkline.v1"
}

extension HTTPResponse {
    /// 503, with the time after which to try again.
    static func comeAgain(in seconds: Int, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status: .unavailable, text: text)
        response.headers.add("Retry-After", String(seconds))
        return response
    }
}
