// StudentConnection: one client's WebSocket, from `hello` to its end.
// Spec: docs/protocol.md §2, §3, §10

internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol
internal import WireCore

/// One client's WebSocket: reads messages, waits for `hello`, then feeds its session.
///
/// Confined to its shard.
final class StudentConnection: WebSocketApplication {
    private enum State {
        /// `hello` has not come.
        case new
        /// The session that it asked for is being looked for.
        case resuming(HeldMessages)
        case hosted(SessionHost)
        case over
    }

    let services: ShardServices
    private(set) var channel: WebSocketChannel?
    private var state = State.new
    private var helloTimer: Shard.TimerID?
    /// Who it is.
    let pass: ConnectionPass
    /// Answers what comes before there is a session.
    private let encoder = EventEncoder()

    init(services: ShardServices, visitor: WebGate.Visitor) {
        self.services = services
        pass = ConnectionPass(visitor, auth: services.commons.auth)
    }

    /// Whether nothing more can be said to it.
    var isOver: Bool {
        if case .over = state { true } else { false }
    }

    /// The session that it belongs to.
    var host: SessionHost? {
        if case .hosted(let host) = state { host } else { nil }
    }

    func opened(_ channel: WebSocketChannel, on shard: isolated Shard) {
        self.channel = channel
        services.connections[ObjectIdentifier(self)] = self
        helloTimer = shard.schedule(after: services.configuration.helloWait) { [weak channel] in
            channel?.close(.helloTimeout, on: shard)
        }
    }

    // MARK: Messages

    func received(_ text: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        guard !pass.isOver else { return }
        let message: ClientMessage
        do throws(MessageError) {
            message = try services.decoder.decode(text)
        } catch {
            return refuse(error.errorMessage, byteCount: text.count, on: shard)
        }
        if case .authRefresh(let token) = message.body, pass.isKnown {
            return refresh(token, re: message.id, on: shard)
        }
        switch state {
        case .hosted(let host): host.receive(message, on: shard)
        case .new: receiveFirst(message, on: shard)
        case .over: break
        case .resuming:
            if case .ping(let ping) = message.body { return send(.pong(re: message.id, t: ping.t), on: shard) }
            hold(.message(message), byteCount: text.count, on: shard)
        }
    }

    private func receiveFirst(_ message: ClientMessage, on shard: isolated Shard) {
        switch message.body {
        case .hello(let hello): begin(hello, re: message.id, on: shard)
        case .ping(let ping): send(.pong(re: message.id, t: ping.t), on: shard)
        default:
            send(
                .error(ErrorMessage(re: message.id, code: .badMessage, message: "hello comes first", path: "type")),
                on: shard)
        }
    }

    private func hold(_ item: HeldMessages.Item, byteCount: Int, on shard: isolated Shard) {
        guard case .resuming(var held) = state else { return }
        // One owner while it is changed: else it would be copied.
        state = .new
        let isHeld = held.hold(item, byteCount: byteCount)
        state = .resuming(held)
        if !isHeld { channel?.close(.flood, on: shard) }
    }

    // MARK: Hello

    private func begin(_ hello: Hello, re: MessageID?, on shard: isolated Shard) {
        if let helloTimer { shard.cancel(helloTimer) }
        helloTimer = nil
        guard letIn(hello, re: re, on: shard) else { return }
        guard hello.role == .student else {
            pass.stop(on: shard)
            send(
                .error(
                    ErrorMessage(
                        re: re, code: .unsupported,
                        message: "this server has no rooms for the role \(hello.role.rawValue)", path: "role",
                        isFatal: true)),
                on: shard)
            channel?.close(.forbidden, on: shard)
            return
        }
        guard let resume = hello.resume else { return open(hello, re: re, why: nil, on: shard) }
        guard let generation = services.commons.keys.generation(of: resume.key, session: resume.session) else {
            return open(hello, re: re, why: .unknown, on: shard)
        }
        state = .resuming(HeldMessages())
        services.resumes.begin(
            SessionResumes.Request(
                hello: hello, resume: resume, re: re, identity: pass.identity, keyGeneration: generation),
            for: self, on: shard)
    }

    private func open(_ hello: Hello, re: MessageID?, why: Welcome.WhyNew?, on shard: isolated Shard) {
        let session = Session(
            id: services.mintName("s_"), epoch: services.mintName("e_"), hello: hello,
            configuration: services.configuration.session, seed: services.seed(), now: .nanoseconds(shard.now),
            wallNow: WallClock.milliseconds(), subject: pass.identity.subject, room: pass.identity.room)
        let host = SessionHost(session, services: services)
        services.add(host)
        let held = settle(host)
        host.open(self, re: re, why: why, tokenExpiresAt: pass.identity.expiresAt, on: shard)
        services.log.info(
            "session opened",
            metadata: ["session": host.id, "client": hello.clientName ?? "-", "locale": hello.locale ?? "-"])
        replay(held, on: shard)
    }

    // MARK: The end of a search

    /// The session was not found, or is not this client's: a new one begins.
    func begin(_ request: SessionResumes.Request, why: Welcome.WhyNew, on shard: isolated Shard) {
        open(request.hello, re: request.re, why: why, on: shard)
    }

    /// The session is on this shard: it goes on here.
    func join(_ host: SessionHost, _ request: SessionResumes.Request, on shard: isolated Shard) {
        let held = settle(host)
        host.resume(
            self, request.hello, keyGeneration: request.keyGeneration, re: request.re,
            tokenExpiresAt: pass.identity.expiresAt, on: shard)
        services.log.info(
            "session resumed", metadata: ["session": host.id, "client": request.hello.clientName ?? "-"])
        replay(held, on: shard)
    }

    /// Nobody can say whether the session exists: the client has to come again, since a new session would lose it.
    func resumeFailed(on shard: isolated Shard) {
        send(
            .error(
                ErrorMessage(
                    code: .storageDegraded, message: "the session cannot be read at the moment",
                    retryMilliseconds: 2_000, isFatal: true)),
            on: shard)
        channel?.close(.internalError, on: shard)
    }

    private func settle(_ host: SessionHost) -> HeldMessages {
        defer { state = .hosted(host) }
        if case .resuming(let held) = state { return held }
        return HeldMessages()
    }

    private func replay(_ held: HeldMessages, on shard: isolated Shard) {
        watchToken(on: shard)
        for item in held.items {
            guard let host else { return }
            switch item {
            case .message(let message): host.receive(message, on: shard)
            case .refusal(let error): host.send(.error(error), on: shard)
            }
        }
    }

    // MARK: The rest

    func receivedBinary(_ bytes: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        // Only an announced image may be binary, and this server takes none.
        channel.close(.unsupportedData, on: shard)
    }

    func receivedOversized(byteCount: Int, isText: Bool, from channel: WebSocketChannel, on shard: isolated Shard) {
        guard isText else { return channel.close(.unsupportedData, on: shard) }
        let limit = services.configuration.session.limits.clientMessageBytes
        refuse(
            ErrorMessage(code: .tooLarge, message: "a message may have \(limit) bytes, this one had \(byteCount)"),
            byteCount: 0, on: shard)
    }

    func drained(_ channel: WebSocketChannel, on shard: isolated Shard) { host?.drained(on: shard) }

    /// A newer connection has the session now.
    func replaced(on shard: isolated Shard) {
        state = .over
        leave(Bye(reason: .replaced, inMilliseconds: 0, resumable: false), .replaced, on: shard)
    }

    /// Says farewell and closes.
    func leave(_ bye: Bye, _ reason: CloseReason, on shard: isolated Shard) {
        send(.bye(bye), on: shard)
        channel?.close(reason, on: shard)
    }

    func closed(_ channel: WebSocketChannel, _ closure: WebSocketClosure, on shard: isolated Shard) {
        if let helloTimer { shard.cancel(helloTimer) }
        helloTimer = nil
        pass.stop(on: shard)
        services.connections[ObjectIdentifier(self)] = nil
        let host = host
        state = .over
        self.channel = nil
        guard let host else { return }
        // 1000 is the client's word that it is done; all else, a page reload (1001) too, may come back.
        let isDone = closure.code == .normal && closure.cause == .peer
        host.disconnected(isDone ? .closed : .lost, on: shard)
        services.log.info(
            "connection closed", metadata: ["session": host.id, "code": "\(closure.code.rawValue)"])
    }

    private func refuse(_ error: ErrorMessage, byteCount: Int, on shard: isolated Shard) {
        switch state {
        // In a session it keeps its place behind what a slow socket has not taken yet, and counts among it.
        case .hosted(let host): host.send(.error(error), on: shard)
        case .new: send(.error(error), on: shard)
        case .over: break
        case .resuming: hold(.refusal(error), byteCount: byteCount, on: shard)
        }
    }

    /// Sends past the session's outbox, where there is no session, or at the very end.
    func send(_ message: ServerMessage, on shard: isolated Shard) {
        channel?.sendText(on: shard) { encoder.append(message, now: WallClock.milliseconds(), to: &$0) }
    }
}

extension WebSocketChannel {
    /// Closes with the code and text of a reason.
    func close(_ reason: CloseReason, on shard: isolated Shard) {
        close(CloseCode(rawValue: reason.code), reason: reason.text, on: shard)
    }
}
