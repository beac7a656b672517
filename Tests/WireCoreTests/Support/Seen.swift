// Seen: what a reader or connection reported, in a form that tests can compare.

import WireCore

/// One thing that a reader or connection reported.
enum Seen: Equatable {
    case binary([UInt8])
    case close([UInt8])
    case closed(CloseCode, WebSocketClosure.Cause)
    case compressed([UInt8], isText: Bool)
    case error(WebSocketError)
    case oversized(isText: Bool, Int)
    case ping([UInt8])
    case pong([UInt8])
    case text(String)

    static func message(_ bytes: [UInt8], isText: Bool, isCompressed: Bool) -> Seen {
        if isCompressed { return .compressed(bytes, isText: isText) }
        return isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(bytes)
    }
}

/// Feeds pieces to a reader as reads of a socket would come, each in memory of its own.
func read(
    _ pieces: [[UInt8]], role: WebSocketReader.Role = .server, limits: WebSocketLimits = WebSocketLimits(),
    allowsCompression: Bool = false
) -> [Seen] {
    var reader = WebSocketReader(role: role, limits: limits)
    reader.allowsCompression = allowsCompression
    var seen: [Seen] = []
    for piece in pieces {
        var memory = piece
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            do throws(WebSocketError) {
                while let event = try reader.next(&input) { seen.append(describe(event, &reader)) }
            } catch {
                seen.append(.error(error))
            }
        }
    }
    return seen
}

private func describe(_ event: WebSocketReaderEvent, _ reader: inout WebSocketReader) -> Seen {
    switch event {
    case .message(let message):
        return .message([UInt8](message.bytes), isText: message.isText, isCompressed: message.isCompressed)
    case .assembled(let isText, let isCompressed):
        return .message(reader.takeAssembled(), isText: isText, isCompressed: isCompressed)
    case .oversized(let isText, let byteCount): return .oversized(isText: isText, byteCount)
    case .control(.ping): return .ping(reader.takeControl())
    case .control(.pong): return .pong(reader.takeControl())
    case .control: return .close(reader.takeControl())
    }
}

/// A connection with the buffer that it writes to and a clock that a test turns.
struct Peer {
    var connection: WebSocketConnection
    var limits: WebSocketLimits
    var now: Duration = .seconds(100)
    var output: [UInt8] = []

    init(
        role: WebSocketReader.Role = .server, limits: WebSocketLimits = WebSocketLimits(), maskSeed: UInt64 = 7
    ) {
        self.limits = limits
        connection = WebSocketConnection(role: role, limits: limits, maskSeed: maskSeed)
    }

    var transport: TransportStep { connection.transport(limits) }

    /// Takes one read's bytes.
    mutating func receive(_ bytes: [UInt8]) -> [Seen] {
        var seen: [Seen] = []
        var memory = bytes
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            while let event = connection.next(&input, now: now, limits: limits, output: &output) {
                seen.append(describe(event))
            }
        }
        return seen
    }

    mutating func receive(pieces: [[UInt8]]) -> [Seen] {
        var seen: [Seen] = []
        for piece in pieces { seen += receive(piece) }
        return seen
    }

    mutating func pass(_ time: Duration) -> [Seen] {
        now += time
        guard let event = connection.deadlinePassed(now: now, output: &output) else { return [] }
        return [describe(event)]
    }

    mutating func end() -> [Seen] {
        guard let event = connection.endOfInput() else { return [] }
        return [describe(event)]
    }

    mutating func close(_ code: CloseCode, _ reason: String = "") {
        connection.close(code, reason: reason, now: now, limits: limits, output: &output)
    }

    @discardableResult
    mutating func send(_ text: String) -> Bool {
        connection.sendText(to: &output) { $0.append(contentsOf: text.utf8) }
    }

    mutating func send(binary bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { connection.send(.binary, $0, to: &output) }
    }

    mutating func ping(_ payload: [UInt8]) -> Bool {
        connection.ping(payload, to: &output)
    }

    /// Hands over what was written since the last call.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    private mutating func describe(_ event: WebSocketEvent) -> Seen {
        switch event {
        case .message(let message):
            return .message([UInt8](message.bytes), isText: message.isText, isCompressed: message.isCompressed)
        case .assembled(let isText, let isCompressed):
            return .message(connection.takeAssembled(), isText: isText, isCompressed: isCompressed)
        case .oversized(let isText, let byteCount): return .oversized(isText: isText, byteCount)
        case .pong: return .pong([])
        case .closed(let closure): return .closed(closure.code, closure.cause)
        }
    }
}
