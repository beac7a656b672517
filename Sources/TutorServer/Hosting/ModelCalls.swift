// ModelCalls: the model calls of a shard, and the way of their events to their sessions.
// Spec: docs/decisions/0005-sessions-move.md, docs/models.md

internal import ModelIO
internal import NetIO
internal import Synchronization
internal import Telemetry
internal import TutorCore

/// The model calls of a shard, and the way of their events to their sessions.
///
/// A call stays on the shard that started it. When its session moves, each shard on the session's way remembers where
/// it went, and an event takes the same way: so events keep their order, however often the session moves. Every stretch
/// of the way has its own number, unique in the process. Confined to its shard.
final class ModelCalls {
    /// Where a session finds one of its calls.
    struct Place: Sendable {
        /// The number under which its events come to this shard.
        var token: UInt64
        /// The shard that runs it.
        var origin: ShardPort
        /// Its number there.
        var originToken: UInt64
    }

    private enum Route {
        case away(ShardPort, token: UInt64)
        case here(SessionHost, ModelCallID)
    }

    private let port: ShardPort
    private let log: Logger
    private var model: ModelHost?
    private var routes: [UInt64: Route] = [:]

    init(_ settings: ModelSettings, port: ShardPort, log: Logger, on shard: isolated Shard) throws {
        self.port = port
        self.log = log
        model = try ModelHost(settings, on: shard) { [unowned self] token, event in
            self.deliver(event, token: token, on: shard)
        }
    }

    /// Aborts every call.
    func shutDown(on shard: isolated Shard) {
        model?.shutDown(on: shard)
        model = nil
        routes = [:]
    }

    // MARK: For the session

    func start(_ request: ModelRequest, call: ModelCallID, for host: SessionHost) {
        let token = Self.nextToken()
        routes[token] = .here(host, call)
        host.calls[call] = Place(token: token, origin: port, originToken: token)
        model?.client.start(request, token: token)
    }

    func cancel(_ call: ModelCallID, of host: SessionHost) {
        guard let place = host.calls.removeValue(forKey: call) else { return }
        routes[place.token] = nil
        if place.origin === port {
            abort(place.originToken)
        } else {
            place.origin.post { services, _ in services.calls.abort(place.originToken) }
        }
    }

    /// Holds all calls of a session back while its reader lags, or lets them go on.
    func setPaused(_ isPaused: Bool, _ host: SessionHost) {
        for place in host.calls.values {
            if place.origin === port {
                pause(isPaused, place.originToken)
            } else {
                place.origin.post { services, _ in services.calls.pause(isPaused, place.originToken) }
            }
        }
    }

    /// Sends the events of a session's calls after it from now on.
    func depart(_ host: SessionHost, to port: ShardPort) -> [ModelCallID: Place] {
        host.calls.mapValues { place in
            var next = place
            next.token = Self.nextToken()
            routes[place.token] = .away(port, token: next.token)
            return next
        }
    }

    /// Takes up the calls of a session that has come.
    func arrive(_ host: SessionHost) {
        for (call, place) in host.calls { routes[place.token] = .here(host, call) }
    }

    // MARK: Events

    private func deliver(_ event: ModelEvent, token: UInt64, on shard: isolated Shard) {
        switch routes[token] {
        case nil: return
        case .away(let port, let next):
            if event.endsCall { routes[token] = nil }
            port.post { services, shard in services.calls.deliver(event, token: next, on: shard) }
        case .here(let host, let call):
            if case .failed(let error) = event {
                log.warning("model call failed", metadata: ["session": host.id, "error": error.kind])
                // The endpoint's own words may quote the prompt: for those who ask for them.
                log.debug("model call failed", metadata: ["session": host.id, "detail": "\(error)"])
            }
            if event.endsCall {
                routes[token] = nil
                host.calls[call] = nil
            }
            host.receive(event, of: call, on: shard)
        }
    }

    private func pause(_ isPaused: Bool, _ token: UInt64) {
        if isPaused { model?.client.pause(token: token) } else { model?.client.resume(token: token) }
    }

    private func abort(_ token: UInt64) {
        model?.client.cancel(token: token)
        forget(token)
    }

    /// Clears the way of a call that is over, from stretch to stretch.
    private func forget(_ token: UInt64) {
        guard case .away(let port, let next)? = routes.removeValue(forKey: token) else { return }
        port.post { services, _ in services.calls.forget(next) }
    }

    private static let lastToken = Atomic<UInt64>(0)

    private static func nextToken() -> UInt64 { lastToken.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension ModelEvent {
    /// Whether nothing of its call follows.
    fileprivate var endsCall: Bool {
        switch self {
        case .failed, .finished: true
        case .reasoning, .text, .usage: false
        }
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
