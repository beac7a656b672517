// RecordExports: what is kept of a subject, as an answer over HTTP.
// Spec: docs/protocol.md §8 (GET /v1/records); docs/auth.md

internal import NetIO
internal import Telemetry
internal import WireCore

/// Answers `GET /v1/records`: what is kept of a token's subject, as JSON.
///
/// Confined to its shard.
final class RecordExports {
    /// Where records come from: the subject, and what is to be told on any thread; nil when they cannot be read.
    typealias Source = @Sendable (String, @escaping @Sendable ([UInt8]?) -> Void) -> Void

    private unowned let services: ShardServices
    private var waiting: [UInt64: (HTTPResponse) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    init(_ services: ShardServices) { self.services = services }

    /// Answers a request.
    ///
    /// 404 where there are no tokens: then records belong to nobody.
    func answer(_ head: HTTPRequestHead) -> WebAnswer {
        let authenticator = services.commons.auth.value
        guard !authenticator.isOpen, let source = services.commons.records else {
            return .refusal(Self.plain(.notFound, "no such page"))
        }
        guard head.method == .get else {
            var response = Self.plain(.methodNotAllowed, "GET only")
            response.headers.add("Allow", "GET")
            return .refusal(response)
        }
        guard !Bearer.isInQuery(head.query) else {
            let (status, text) = WebGate.Refusal.tokenInURL.answer
            return .refusal(Self.plain(status, text))
        }
        let subject: String?
        do throws(AuthFault) {
            subject = try authenticator.identify(Bearer(head.headers, subprotocols: []), now: WallClock.milliseconds())
                .subject
        } catch {
            services.log.info("export refused", metadata: ["reason": error.rawValue])
            var response = Self.plain(.unauthorized, error.message)
            response.headers.add("WWW-Authenticate", "Bearer")
            return .refusal(response)
        }
        guard let subject else { return .refusal(Self.plain(.unauthorized, AuthFault.absent.message)) }
        guard waiting.count < Self.waitingLimit else {
            return .refusal(HTTPResponse.comeAgain(in: 2, "too many exports"))
        }
        return .eventually { [self] answer in
            lastNumber += 1
            let number = lastNumber
            waiting[number] = answer
            source(subject) { [port = services.port] bytes in
                port.post { services, _ in services.exports.finish(number, bytes) }
            }
        }
    }

    private func finish(_ number: UInt64, _ bytes: [UInt8]?) {
        guard let answer = waiting.removeValue(forKey: number) else { return }
        guard let bytes else { return answer(HTTPResponse.comeAgain(in: 5, "the records cannot be read now")) }
        answer(
            HTTPResponse(
                status: .ok,
                headers: HTTPHeaders([
                    ("Content-Type", "application/json"), ("Cache-Control", "no-store"),
                    ("X-Content-Type-Options", "nosniff"),
                ]), body: bytes))
    }

    private static func plain(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        var response = HTTPResponse(status: status, text: text)
        response.headers.add("Cache-Control", "no-store")
        return response
    }

    /// Most exports under way at once, a shard: each may be megabytes.
    static let waitingLimit = 8
}
