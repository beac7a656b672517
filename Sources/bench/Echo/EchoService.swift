// EchoService: sends every message back.

internal import NetIO
internal import TutorServer
internal import WireCore

/// Takes every WebSocket on any path, and sends its messages back.
///
/// It holds nothing of a connection, so one serves a whole shard.
final class EchoService: WebService, WebSocketApplication {
    func answer(_ head: HTTPRequestHead, from peer: PeerAddress, on shard: isolated Shard) -> WebAnswer {
        do throws(HandshakeError) {
            let handshake = try WebSocketHandshake.accept(head)
            return .upgrade(handshake, subprotocol: handshake.subprotocols.first, self)
        } catch {
            return .refusal(error.response)
        }
    }

    func opened(_ channel: WebSocketChannel, on shard: isolated Shard) {}

    func received(_ text: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        channel.send(text, isText: true, on: shard)
    }

    func receivedBinary(_ bytes: Span<UInt8>, from channel: WebSocketChannel, on shard: isolated Shard) {
        channel.send(bytes, isText: false, on: shard)
    }

    func receivedOversized(byteCount: Int, isText: Bool, from channel: WebSocketChannel, on shard: isolated Shard) {
        channel.close(.messageTooBig, reason: "", on: shard)
    }

    func drained(_ channel: WebSocketChannel, on shard: isolated Shard) {}

    func closed(_ channel: WebSocketChannel, _ closure: WebSocketClosure, on shard: isolated Shard) {}
}
