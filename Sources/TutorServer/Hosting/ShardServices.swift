// ShardServices: what the sessions of one shard share.

internal import ModelIO
internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol

/// What the sessions of one shard share: settings, the model, random numbers.
///
/// Confined to its shard.
final class ShardServices {
    let configuration: Configuration
    let decoder: MessageDecoder
    let log: Logger
    /// Sessions alive on this shard, those without a connection included.
    private(set) var sessions: [String: SessionHost] = [:]
    private var model: ModelHost?
    private var calls: [UInt64: (host: SessionHost, call: ModelCallID)] = [:]
    private var lastToken: UInt64 = 0
    private var random = SystemRandomNumberGenerator()

    init(_ configuration: Configuration, log: Logger, on shard: isolated Shard) throws {
        self.configuration = configuration
        self.log = log
        decoder = MessageDecoder(limits: configuration.session.limits)
        model = try ModelHost(configuration.model, on: shard) { [unowned self] token, event in
            self.deliver(event, token: token, on: shard)
        }
    }

    /// Stops the model; sessions end with their connections.
    func shutDown(on shard: isolated Shard) {
        model?.shutDown(on: shard)
        model = nil
    }

    // MARK: Sessions

    func add(_ host: SessionHost) { sessions[host.id] = host }

    func remove(_ host: SessionHost) { sessions[host.id] = nil }

    /// A name that nobody can guess: a prefix and 22 characters that carry 131 bits.
    func mintName(_ prefix: String) -> String {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)
        let bytes = (0..<22).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
        return prefix + String(decoding: bytes, as: UTF8.self)
    }

    func seed() -> UInt64 { random.next() }

    // MARK: Model calls

    func start(_ request: ModelRequest, call: ModelCallID, for host: SessionHost) {
        lastToken += 1
        calls[lastToken] = (host, call)
        host.tokens[call] = lastToken
        model?.client.start(request, token: lastToken)
    }

    func cancel(_ call: ModelCallID, of host: SessionHost) {
        guard let token = host.tokens.removeValue(forKey: call) else { return }
        calls[token] = nil
        model?.client.cancel(token: token)
    }

    private func deliver(_ event: ModelEvent, token: UInt64, on shard: isolated Shard) {
        guard let (host, call) = calls[token] else { return }
        switch event {
        case .failed(let error):
            log.warning("model call failed", metadata: ["session": host.id, "error": error.kind])
            // The endpoint's own words may quote the prompt: for those who ask for them.
            log.debug("model call failed", metadata: ["session": host.id, "detail": "\(error)"])
            end(token, call, of: host)
        case .finished:
            end(token, call, of: host)
        case .reasoning, .text, .usage:
            break
        }
        host.receive(event, of: call, on: shard)
    }

    private func end(_ token: UInt64, _ call: ModelCallID, of host: SessionHost) {
        calls[token] = nil
        host.tokens[call] = nil
    }
}

extension ModelError {
    /// What kind of failure, without the endpoint's words.
    fileprivate var kind: String {
        switch self {
        case .invalid: "invalid"
        case .rateLimited: "rate limited"
        case .refused(let status): "refused with status \(status)"
        case .timeout: "timeout"
        case .unavailable: "unavailable"
        }
    }
}
