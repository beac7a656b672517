// HTTPChannel: a connection that speaks HTTP, until it ends or becomes a WebSocket.
// Source: RFC 9112 §9; RFC 6455 §4.2

package import NetIO
package import WireCore

/// A connection that speaks HTTP/1.1: requests in order, then perhaps a WebSocket on the same connection.
package final class HTTPChannel: ConnectionHandler {
    private let service: any WebService
    private let limits: TransportLimits
    private var parser: HTTPRequestParser
    private var timer: Shard.TimerID?
    private var hasAnswered = false
    /// Whether an answer is being made elsewhere.
    private var isWaiting = false
    private let deflate: DeflatePool?
    private let ended: () -> Void

    /// Begins to read requests.
    ///
    /// `deflate` is what the shard's connections share for compression; without it nothing is compressed, since only a
    /// shared pool bounds the memory of a shard. `ended` is called once when the connection is over, also when it has
    /// become a WebSocket meanwhile.
    package init(
        _ connection: Connection, service: any WebService, limits: TransportLimits, deflate: DeflatePool? = nil,
        on shard: isolated Shard, ended: @escaping () -> Void
    ) {
        self.service = service
        self.limits = limits
        self.deflate = deflate
        self.ended = ended
        parser = HTTPRequestParser(limits: limits.http)
        connection.queueLimit = limits.queueBytes
        arm(limits.headWait, connection, on: shard)
    }

    package func connection(
        _ connection: Connection, received bytes: UnsafeMutableRawBufferPointer, on shard: isolated Shard
    ) {
        // Nothing follows an answer that is waited for.
        guard !isWaiting else { return }
        var offset = 0
        while offset < bytes.count {
            let wasIdle = !parser.hasBegun
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
            let head: HTTPRequestHead
            do throws(HTTPRequestError) {
                let progress = try parser.receive(Span(_unsafeBytes: UnsafeRawBufferPointer(rest)))
                offset += progress.consumed
                guard let complete = progress.head else {
                    // The clock of a later head starts at its first byte, that of the first at the connection.
                    if wasIdle, hasAnswered { arm(limits.headWait, connection, on: shard) }
                    return
                }
                try complete.requireNoBody()
                head = complete
            } catch {
                return refuse(error.response, connection, on: shard)
            }
            let left = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...])
            guard answer(head, left, connection, on: shard) else { return }
        }
    }

    /// Answers one request; false when no other follows on this channel.
    private func answer(
        _ head: HTTPRequestHead, _ rest: UnsafeMutableRawBufferPointer, _ connection: Connection,
        on shard: isolated Shard
    ) -> Bool {
        switch service.answer(head, from: connection.peer, on: shard) {
        case .refusal(let response):
            refuse(response, isHead: head.method == .head, connection, on: shard)
            return false
        case .response(let response):
            let keepsAlive = head.keepsAlive && connection.queuedByteCount < limits.pipelinedBytes
            write(response, isHead: head.method == .head, keepsAlive: keepsAlive, connection, on: shard)
            guard keepsAlive else {
                stop(on: shard)
                connection.finish(on: shard)
                return false
            }
            hasAnswered = true
            parser = HTTPRequestParser(limits: limits.http)
            arm(limits.keepAliveWait, connection, on: shard)
            return true
        case .eventually(let begin):
            wait(for: begin, connection, on: shard)
            return false
        case .upgrade(let handshake, let subprotocol, let application):
            stop(on: shard)
            let compression = compression(for: handshake)
            connection.write(on: shard) {
                handshake.appendResponse(
                    to: &$0, subprotocol: subprotocol, extensions: compression?.parameters.responseValue)
            }
            let channel = WebSocketChannel(
                connection, application: application, limits: limits, compression: compression, on: shard,
                ended: ended)
            connection.handler = channel
            application.opened(channel, on: shard)
            // What came behind the head in the same segment is the first frames.
            if !rest.isEmpty { channel.connection(connection, received: rest, on: shard) }
            return false
        }
    }

    /// Waits for an answer that is made elsewhere, for a bounded time.
    private func wait(
        for begin: (@escaping (HTTPResponse) -> Void) -> Void, _ connection: Connection, on shard: isolated Shard
    ) {
        stop(on: shard)
        isWaiting = true
        let answer = { [weak self, weak connection] (response: HTTPResponse) in
            guard let self, let connection, self.isWaiting else { return }
            self.isWaiting = false
            self.refuse(response, connection, on: shard)
        }
        timer = shard.schedule(after: limits.answerWait) {
            self.timer = nil
            answer(HTTPResponse.comeAgain(in: 5, "the answer took too long"))
        }
        begin(answer)
    }

    /// Agrees on permessage-deflate; nil when the client offers nothing that can be taken, or it is off.
    private func compression(for handshake: WebSocketHandshake) -> MessageCompression? {
        guard let deflate,
            let parameters = DeflateParameters.agree(on: handshake.extensionOffers, policy: deflate.policy)
        else { return nil }
        return MessageCompression(parameters, pool: deflate)
    }

    private func refuse(
        _ response: HTTPResponse, isHead: Bool = false, _ connection: Connection, on shard: isolated Shard
    ) {
        stop(on: shard)
        write(response, isHead: isHead, keepsAlive: false, connection, on: shard)
        connection.finish(on: shard)
    }

    private func write(
        _ response: HTTPResponse, isHead: Bool, keepsAlive: Bool, _ connection: Connection, on shard: isolated Shard
    ) {
        var response = response
        response.headers.add("Date", WallClock.httpDate())
        connection.write(on: shard) { response.append(to: &$0, isHead: isHead, keepsAlive: keepsAlive) }
    }

    package func connectionDrained(_ connection: Connection, on shard: isolated Shard) {}

    package func connectionEnded(_ connection: Connection, _ end: ConnectionEnd, on shard: isolated Shard) {
        stop(on: shard)
        isWaiting = false
        ended()
    }

    private func arm(_ wait: Duration, _ connection: Connection, on shard: isolated Shard) {
        stop(on: shard)
        // Holds both until it fires or is stopped, at the latest when the connection ends. A weak reference would make
        // every later retain and release of the connection take the slow path.
        timer = shard.schedule(after: wait) {
            self.timer = nil
            // An idle connection is closed without a word: its client has asked for nothing.
            guard self.parser.hasBegun else { return connection.finish(on: shard) }
            self.refuse(HTTPResponse(status: .requestTimeout, text: "request head too slow"), connection, on: shard)
        }
    }

    private func stop(on shard: isolated Shard) {
        if let timer { shard.cancel(timer) }
        timer = nil
    }
}
