// ModelRelay: the server's own token path without a session.
// Spec: docs/performance-tokens.md

internal import ModelIO
internal import NetIO
internal import TutorCore
internal import TutorProtocol
internal import TutorServer
internal import WireCore

/// The server's own token path without a session: libcurl in the shard's loop, the decoder, an event, a frame.
///
/// Confined to its shard.
final class ModelRelay: WebService, WebSocketApplication {
    private var host: ModelHost?
    private var readers: [UInt64: Reader] = [:]
    private var tokens: [ObjectIdentifier: UInt64] = [:]
    private var lastToken: UInt64 = 0
    private var encoder = EventEncoder()

    private final class Reader {
        let channel: WebSocketChannel
        var seq: Int64 = 0

        init(_ channel: WebSocketChannel) { self.channel = channel }
    }

    init(_ upstream: ListenAddress, on shard: isolated Shard) throws {
        var settings = ModelSettings()
        settings.choice = .openai
        settings.baseURL = "http://\(upstream)/v1"
        settings.name = "bench-1"
        // Streams here have no end and start all at once.
        settings.limits.concurrentCalls = 10_000
        settings.limits.answerBytes = 1 << 40
        settings.limits.bodyBytes = 1 << 40
        settings.timeouts.total = .seconds(86_400)
        host = try ModelHost(settings, on: shard) { [unowned self] token, event in
            self.relay(event, token: token, on: shard)
        }
    }

    private func relay(_ event: ModelEvent, token: UInt64, on shard: isolated Shard) {
        switch event {
        case .text(let text):
            guard let reader = readers[token] else { return }
            reader.seq += 1
            let delta = AnswerDelta(turn: TurnID(1), text: text)
            let event = LoggedEvent(seq: reader.seq, event: .answerDelta(delta))
            reader.channel.sendText(on: shard) { encoder.append(event, to: &$0) }
        case .failed(let error):
            print("model call failed: \(error)")
            readers[token]?.channel.close(.internalError, reason: "upstream failed", on: shard)
        case .finished:
            readers[token]?.channel.close(.normal, reason: "", on: shard)
        case .reasoning, .usage:
            break
        }
    }

    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer {
        do throws(HandshakeError) {
            return .upgrade(try WebSocketHandshake.accept(head), subprotocol: nil, self)
        } catch {
            return .refusal(error.response)
        }
    }

    func opened(_ channel: WebSocketChannel, on shard: isolated Shard) {
        lastToken += 1
        readers[lastToken] = Reader(channel)
        tokens[ObjectIdentifier(channel)] = lastToken
        let lesson = Lesson(question: "go", language: "en", hintLevel: 0, elements: [], relevant: [], focus: nil)
        let request = ModelRequest(
            messages: [ModelMessage(role: .user, text: "go")], maximumOutputTokens: 1_000_000, lesson: lesson)
        host?.client.start(request, token: lastToken)
    }

    func closed(_ channel: WebSocketChannel, _ closure: WebSocketClosure, on shard: isolated Shard) {
        guard let token = tokens.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        readers[token] = nil
        host?.client.cancel(token: token)
    }

    func received(_ text: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {}
    func receivedBinary(_ bytes: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {}
    func receivedOversized(byteCount: Int, isText: Bool, from channel: WebSocketChannel, on shard: isolated Shard) {}
    func drained(_ channel: WebSocketChannel, on shard: isolated Shard) {}
}
