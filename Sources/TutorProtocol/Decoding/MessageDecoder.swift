// MessageDecoder: turns the bytes of a client's message into a checked, typed message.
// Spec: docs/protocol.md §2-§5, §10, §11

/// Turns the bytes of a client's message into a checked, typed message.
///
/// Plan: one pass where `type` comes first, as clients write it; where it comes later, a first pass looks for it. A
/// refused message is read once or twice more to say where the fault is and which id it had, so the price of a fault
/// stays linear too. Unknown fields are checked as JSON and ignored. `null` for an optional field is its absence.
public struct MessageDecoder: Sendable {
    /// Longest short text of a client (names, versions, tags, keys), in bytes.
    ///
    /// Long enough for a browser's own name.
    public static let shortTextBytes = 256
    /// Most bytes that are kept of a report's free text.
    public static let reportBytes = 200
    /// Longest token, in bytes.
    ///
    /// Default 4 096: what a header may hold with room for others.
    public static let tokenBytes = 4_096
    /// Longest text of a feedback, in bytes.
    ///
    /// Default 2 000, like an element's.
    public static let feedbackBytes = 2_000

    /// The bounds in force.
    public let limits: Limits
    private let jsonLimits: JSONLimits

    /// Makes a decoder for messages within `limits`.
    public init(limits: Limits = Limits()) {
        self.limits = limits
        jsonLimits = JSONLimits(limits)
    }

    /// Reads one message.
    ///
    /// Not JSON, not an object, a repeated key, or nested too deep is `bad_frame`; a field that is missing, of a wrong
    /// type, out of range or over a limit is `bad_message` with its path; more than ``Limits/clientMessageBytes`` bytes
    /// is `too_large`. O(bytes).
    public func decode(_ bytes: Span<UInt8>) throws(MessageError) -> ClientMessage {
        guard bytes.count <= limits.clientMessageBytes else {
            throw MessageError(code: .tooLarge, message: "the message is over \(limits.clientMessageBytes) bytes")
        }
        do {
            return try JSONReader.read(bytes, limits: jsonLimits) { (reader) throws(JSONError) in
                try message(&reader, bytes: bytes)
            }
        } catch {
            throw FaultReport(limits: jsonLimits, idBytes: limits.messageIDBytes).explain(error, in: bytes)
        }
    }

    /// Reads one message.
    public func decode(_ bytes: [UInt8]) throws(MessageError) -> ClientMessage {
        try decode(bytes.span)
    }

    // MARK: The envelope

    private func message(_ reader: inout JSONReader, bytes: Span<UInt8>) throws(JSONError) -> ClientMessage {
        _ = try reader.peek()
        let start = reader.position
        try reader.openObject()
        var isAtFirstKey = true
        while let name = try reader.nextName() {
            if case "type" = name {
                let type = try messageType(&reader)
                if isAtFirstKey { return try message(of: type, &reader, start: start) }
                // Read again from the start, now knowing what the fields mean.
                return try JSONReader.read(bytes, limits: jsonLimits) { (reader) throws(JSONError) in
                    try reader.openObject()
                    return try message(of: type, &reader, start: start)
                }
            }
            isAtFirstKey = false
            try reader.skip()
        }
        throw JSONError(missing: .type, at: start)
    }

    private func messageType(_ reader: inout JSONReader) throws(JSONError) -> MessageType {
        let place = try reader.valueStart()
        let text = try reader.text()
        guard let type = MessageType(rawValue: text.count <= 32 ? reader.string(text) : "") else {
            throw JSONError(.unknownType, at: place)
        }
        return type
    }

    /// Reads the rest of the top-level object, whose first brace is at `start`.
    private func message(
        of type: MessageType, _ reader: inout JSONReader, start: Int
    ) throws(JSONError) -> ClientMessage {
        var envelope = Envelope(start: start, idBytes: limits.messageIDBytes)
        let body: ClientMessage.Body
        switch type {
        case .ask: body = .ask(try ask(&reader, &envelope))
        case .authRefresh: body = .authRefresh(token: try authRefresh(&reader, &envelope))
        case .cancel: body = .cancel(try cancel(&reader, &envelope))
        case .feedback: body = .feedback(try feedback(&reader, &envelope))
        case .forget: body = .forget(all: try forget(&reader, &envelope))
        case .hello: body = .hello(try hello(&reader, &envelope))
        case .highlightMissed: body = .highlightMissed(try highlightMissed(&reader, &envelope))
        case .ping: body = .ping(try ping(&reader, &envelope))
        case .screenDelta: body = .screenDelta(try screenDelta(&reader, &envelope))
        case .screenSnapshot: body = .screenSnapshot(try screenSnapshot(&reader, &envelope))
        case .stepResult: body = .stepResult(try stepResult(&reader, &envelope))
        case .confirm, .hand, .imageBegin, .note, .policy, .skillResult, .steer, .unwatch, .watch:
            while let name = try reader.nextName() { try envelope.read(name, &reader) }
            body = .unsupported(type.rawValue)
        }
        try reader.finish()
        return ClientMessage(id: envelope.id, body: body)
    }
}

/// What every message has beside its own fields.
struct Envelope {
    /// Offset of the message's first brace, for fields that it lacks.
    let start: Int
    let idBytes: Int
    private(set) var id: MessageID?

    init(start: Int, idBytes: Int) {
        self.start = start
        self.idBytes = idBytes
    }

    /// Reads the value of a key that is not one of the message's own: its id, or something to ignore.
    mutating func read(_ name: PackedName, _ reader: inout JSONReader) throws(JSONError) {
        if case "id" = name {
            id = try reader.null() ? nil : reader.messageID(limit: idBytes)
        } else {
            try reader.skip()
        }
    }
}
