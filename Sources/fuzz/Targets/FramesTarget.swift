// FramesTarget: the same bytes in any split give the same events, the same answers and the same closure, every answer
// is one that the other side can read, and a frame of ours reads as what was written.
// Spec: RFC 6455 §5, §7, §8.1

import WireCore

/// One thing that a connection or a reader reported.
private enum FrameEvent: Equatable {
    case closed(WebSocketClosure)
    case control(Opcode, [UInt8])
    case error(WebSocketError)
    case message([UInt8], isText: Bool, isCompressed: Bool)
    case oversized(isText: Bool, Int)
    case pong
}

/// The first two bytes choose the side and the limits; the rest is what the peer sends.
func fuzzFrames(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    let sent = [UInt8](bytes.dropFirst(2))
    let role: WebSocketReader.Role = bytes[0] & 1 == 0 ? .server : .client
    var limits = WebSocketLimits()
    if bytes[0] & 2 != 0 { limits.messageBytes = Int(bytes[1]) }
    if bytes[0] & 4 != 0 { limits.skippedBytes = limits.messageBytes + 64 }
    if bytes[0] & 8 != 0 { limits.fragments = 3 }
    if bytes[0] & 16 != 0 { limits.controlFrames = 4 }
    let reading = Splits.agree(on: sent, "frames") {
        ConnectionReading($0, role: role, limits: limits, allowsCompression: bytes[0] & 32 != 0)
    }
    let closures = reading.events.count { if case .closed = $0 { true } else { false } }
    invariant(closures == 1, "\(closures) closures")
    for case .message(let payload, let isText, let isCompressed) in reading.events {
        invariant(payload.count <= limits.messageBytes, "a message of \(payload.count) bytes passed")
        invariant(isCompressed || !isText || String(validating: payload, as: UTF8.self) != nil, "text is no UTF-8")
    }
    let other: WebSocketReader.Role = role == .server ? .client : .server
    for event in read(reading.output, role: other) {
        if case .error(let error) = event { invariant(false, "the answer is refused: \(error)") }
    }
    checkWriter(payload: sent, key: UInt32(bytes[0]) << 24 | UInt32(bytes[1]))
}

/// What a connection made of its input, to its end.
private struct ConnectionReading: Equatable {
    var events: [FrameEvent] = []
    var output: [UInt8] = []
    var reason = ""

    init(
        _ pieces: [ArraySlice<UInt8>], role: WebSocketReader.Role, limits: WebSocketLimits, allowsCompression: Bool
    ) {
        var connection = WebSocketConnection(role: role, limits: limits, maskSeed: 7)
        if allowsCompression { connection.allowCompression() }
        let now = Duration.seconds(100)
        for piece in pieces {
            // Each read in memory of its own, so that the sanitizer sees a step outside it.
            var memory = [UInt8](piece)
            memory.withUnsafeMutableBytes { bytes in
                var input = WebSocketInput(bytes)
                while let event = connection.next(&input, now: now, limits: limits, output: &output) {
                    switch event {
                    case .assembled(let isText, let isCompressed):
                        let whole = connection.takeAssembled()
                        events.append(.message(whole, isText: isText, isCompressed: isCompressed))
                    case .closed(let closure): events.append(.closed(closure))
                    case .message(let message):
                        events.append(
                            .message(
                                [UInt8](message.bytes), isText: message.isText, isCompressed: message.isCompressed))
                    case .oversized(let isText, let count): events.append(.oversized(isText: isText, count))
                    case .pong: events.append(.pong)
                    }
                }
                invariant(input.isEmpty, "bytes are left without an event")
            }
        }
        if case .closed(let closure) = connection.endOfInput() { events.append(.closed(closure)) }
        reason = connection.closeReason
    }
}

/// Reads frames whole.
private func read(_ bytes: [UInt8], role: WebSocketReader.Role) -> [FrameEvent] {
    var limits = WebSocketLimits()
    limits.messageBytes = 1 << 24
    var reader = WebSocketReader(role: role, limits: limits)
    var events: [FrameEvent] = []
    var memory = bytes
    memory.withUnsafeMutableBytes { bytes in
        var input = WebSocketInput(bytes)
        do throws(WebSocketError) {
            while let event = try reader.next(&input) {
                switch event {
                case .assembled(let isText, let isCompressed):
                    events.append(.message(reader.takeAssembled(), isText: isText, isCompressed: isCompressed))
                case .control(let opcode): events.append(.control(opcode, reader.takeControl()))
                case .message(let message):
                    events.append(
                        .message([UInt8](message.bytes), isText: message.isText, isCompressed: message.isCompressed))
                case .oversized(let isText, let count): events.append(.oversized(isText: isText, count))
                }
            }
        } catch {
            events.append(.error(error))
        }
    }
    return events
}

/// A frame reads as what was written, in both ways to write it, with and without a key.
private func checkWriter(payload: [UInt8], key: UInt32) {
    for (maskingKey, role) in [(key, WebSocketReader.Role.server), (nil, .client)] {
        var whole: [UInt8] = []
        FrameWriter.append(.binary, maskingKey: maskingKey, payload: payload, to: &whole)
        var open: [UInt8] = []
        let mark = FrameWriter.begin(.binary, maskingKey: maskingKey, in: &open)
        open += payload
        FrameWriter.end(mark, in: &open)
        invariant(open == whole, "the two writers differ")
        let events = read(whole, role: role)
        invariant(events == [.message(payload, isText: false, isCompressed: false)], "read back as \(events)")
    }
}
