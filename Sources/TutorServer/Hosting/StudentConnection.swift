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
    private let services: ShardServices
    private var host: SessionHost?
    private var helloTimer: Shard.TimerID?
    /// Answers what comes before there is a session.
    private let encoder = EventEncoder()

    init(services: ShardServices) {
        self.services = services
    }

    func opened(_ channel: WebSocketChannel, on shard: isolated Shard) {
        helloTimer = shard.schedule(after: services.configuration.helloWait) { [weak channel] in
            channel?.close(.helloTimeout, on: shard)
        }
    }

    func received(_ text: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        let message: ClientMessage
        do throws(MessageError) {
            message = try services.decoder.decode(text)
        } catch {
            return refuse(error.errorMessage, on: channel, shard)
        }
        if let host { return host.receive(message, on: shard) }
        switch message.body {
        case .hello(let hello):
            begin(hello, re: message.id, on: channel, shard)
        case .ping(let ping):
            send(.pong(re: message.id, t: ping.t), on: channel, shard)
        case .ask, .authRefresh, .cancel, .feedback, .forget, .highlightMissed, .screenDelta, .screenSnapshot,
            .stepResult, .unsupported:
            refuse(
                ErrorMessage(re: message.id, code: .badMessage, message: "hello comes first", path: "type"),
                on: channel, shard)
        }
    }

    private func begin(_ hello: Hello, re: MessageID?, on channel: WebSocketChannel, _ shard: isolated Shard) {
        if let helloTimer { shard.cancel(helloTimer) }
        helloTimer = nil
        guard hello.role == .student else {
            refuse(
                ErrorMessage(
                    re: re, code: .unsupported, message: "this server has no rooms for the role \(hello.role.rawValue)",
                    path: "role", isFatal: true),
                on: channel, shard)
            return channel.close(.forbidden, on: shard)
        }
        let session = Session(
            id: services.mintName("s_"), epoch: services.mintName("e_"), hello: hello,
            configuration: services.configuration.session, seed: services.seed(), now: .nanoseconds(shard.now),
            wallNow: WallClock.milliseconds())
        let host = SessionHost(session, services: services, channel: channel)
        self.host = host
        services.add(host)
        // Sessions live as long as their connection: a resume finds none, which `why` says.
        host.open(
            re: re, key: services.mintName("k_"), why: hello.resume == nil ? nil : .unknown,
            version: services.configuration.version, on: shard)
        services.log.info(
            "session opened",
            metadata: ["session": host.id, "client": hello.clientName ?? "-", "locale": hello.locale ?? "-"])
    }

    func receivedBinary(_ bytes: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        // Only an announced image may be binary, and this server takes none.
        channel.close(.unsupportedData, on: shard)
    }

    func receivedOversized(byteCount: Int, isText: Bool, from channel: WebSocketChannel, on shard: isolated Shard) {
        guard isText else { return channel.close(.unsupportedData, on: shard) }
        let limit = services.configuration.session.limits.clientMessageBytes
        refuse(
            ErrorMessage(code: .tooLarge, message: "a message may have \(limit) bytes, this one had \(byteCount)"),
            on: channel, shard)
    }

    func drained(_ channel: WebSocketChannel, on shard: isolated Shard) { host?.drained(on: shard) }

    func closed(_ channel: WebSocketChannel, _ closure: WebSocketClosure, on shard: isolated Shard) {
        if let helloTimer { shard.cancel(helloTimer) }
        helloTimer = nil
        guard let host else { return }
        // 1000 is the client's word that it is done; all else, a page reload (1001) too, may come back.
        let isDone = closure.code == .normal && closure.cause == .peer
        host.disconnected(isDone ? .closed : .lost, on: shard)
        services.log.info(
            "connection closed", metadata: ["session": host.id, "code": "\(closure.code.rawValue)"])
        self.host = nil
    }

    private func refuse(_ error: ErrorMessage, on channel: WebSocketChannel, _ shard: isolated Shard) {
        // In a session it keeps its place behind what a slow socket has not taken yet, and counts among it.
        if let host { return host.send(.error(error), on: shard) }
        send(.error(error), on: channel, shard)
    }

    private func send(_ message: ServerMessage, on channel: WebSocketChannel, _ shard: isolated Shard) {
        channel.sendText(on: shard) { encoder.append(message, now: WallClock.milliseconds(), to: &$0) }
    }
}

extension WebSocketChannel {
    /// Closes with the code and text of a reason.
    func close(_ reason: CloseReason, on shard: isolated Shard) {
        close(CloseCode(rawValue: reason.code), reason: reason.text, on: shard)
    }
}
