// ChatStreamDecoder: the body of a chat completion, cut anywhere, becomes model events.
// Spec: docs/models.md (rules of the adapter)

public import TutorCore
import TutorProtocol
import WireCore

/// The body of a chat completion, cut anywhere, becomes model events.
///
/// Takes event streams, and whole completions as JSON from endpoints that do not stream. Exactly one `finished` or
/// `failed` ends its events, with one `usage` before it where the endpoint counts tokens.
public struct ChatStreamDecoder: Sendable {
    /// How a body ended.
    public enum End: Sendable, Hashable {
        /// The transfer broke off.
        case broken(ModelError)
        /// The body came whole, as far as the transfer knows.
        case complete
    }

    private enum Form {
        case document
        case events
        case unknown
    }

    /// Whether the reason for the end has come; only the token count may still follow.
    public private(set) var hasReason = false
    /// Whether the stream said that it is over.
    public private(set) var isDone = false

    private let limits: ModelLimits
    private var form = Form.unknown
    private var parser: EventStreamParser
    /// The body so far, while its form is unknown and when it is a document.
    private var kept: [UInt8] = []
    private var bodyByteCount = 0
    private var answerByteCount = 0
    private var isReasoning = false
    private var hasChoice = false
    private var reason: ChatChunk.Reason?
    private var usage: ModelUsage?
    private var hasEnded = false

    /// Makes a decoder at the start of a body.
    public init(limits: ModelLimits = ModelLimits()) {
        self.limits = limits
        parser = EventStreamParser(maximumLineBytes: limits.lineBytes, maximumEventBytes: limits.eventBytes)
    }

    /// Takes the next bytes, and returns what they say.
    ///
    /// Adjacent texts come as one.
    public mutating func receive(_ bytes: Span<UInt8>) -> [ModelEvent] {
        var events: [ModelEvent] = []
        guard !hasEnded else { return events }
        bodyByteCount += bytes.count
        guard bodyByteCount <= limits.bodyBytes else {
            cut(because: "response too long", into: &events)
            return events
        }
        switch form {
        case .unknown: sniff(bytes, into: &events)
        case .document: keep(bytes, into: &events)
        case .events: parse(bytes, into: &events)
        }
        return events
    }

    /// The same for an array.
    public mutating func receive(_ bytes: [UInt8]) -> [ModelEvent] { receive(bytes.span) }

    /// Says that the body is over, and returns the last events.
    public mutating func finish(_ end: End) -> [ModelEvent] {
        var events: [ModelEvent] = []
        if !hasEnded, form == .events, let rest = parser.finish(), isWhole(rest) { take(rest, into: &events) }
        if !hasEnded, form == .document { takeDocument(end, into: &events) }
        guard !hasEnded else { return events }
        if reason != nil {
            conclude(into: &events)
            return events
        }
        switch end {
        case .broken(let error): fail(error, into: &events)
        case .complete where form == .events && !parser.hasKnownLine:
            fail(.invalid(detail: "not an event stream"), into: &events)
        case .complete:
            // Without a reason and without [DONE] nobody can tell whether the text is whole.
            fail(.unavailable(detail: "answer ended early"), into: &events)
        }
        return events
    }

    // MARK: Forms

    /// Decides by the first byte that is neither white space nor a byte order mark: content types are often wrong.
    private mutating func sniff(_ bytes: Span<UInt8>, into events: inout [ModelEvent]) {
        kept.append(contentsOf: bytes)
        guard let first = kept.first(where: { !Self.leading.contains($0) }) else {
            if kept.count > limits.lineBytes { fail(.invalid(detail: "not an event stream"), into: &events) }
            return
        }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            form = .document
            if kept.count > limits.eventBytes { fail(.invalid(detail: "answer too long"), into: &events) }
        case UInt8(ascii: "<"):
            fail(.invalid(detail: "markup in place of an event stream"), into: &events)
        case 0..<0x20, 0x7F...0xFF:
            fail(.invalid(detail: "not an event stream"), into: &events)
        default:
            form = .events
            let begun = kept
            kept = []
            parse(begun.span, into: &events)
        }
    }

    private mutating func keep(_ bytes: Span<UInt8>, into events: inout [ModelEvent]) {
        guard kept.count + bytes.count <= limits.eventBytes else {
            fail(.invalid(detail: "answer too long"), into: &events)
            return
        }
        kept.append(contentsOf: bytes)
    }

    private mutating func parse(_ bytes: Span<UInt8>, into events: inout [ModelEvent]) {
        var found: [ServerSentEvent] = []
        var fault: EventStreamError?
        do throws(EventStreamError) {
            try parser.receive(bytes, into: &found)
        } catch {
            fault = error
        }
        for event in found where !hasEnded { take(event, into: &events) }
        if fault != nil, !hasEnded { cut(because: "line or event too long", into: &events) }
    }

    private mutating func takeDocument(_ end: End, into events: inout [ModelEvent]) {
        guard let value = ChatDocument.parse(kept, limits: limits) else {
            switch end {
            case .broken(let error): fail(error, into: &events)
            case .complete: fail(.invalid(detail: "neither an event stream nor json"), into: &events)
            }
            return
        }
        take(ChatChunk(value[0] ?? value), into: &events)
        guard !hasEnded else { return }
        if !hasChoice {
            fail(.invalid(detail: "answer without choices"), into: &events)
        } else {
            reason = reason ?? .finished(.stop)
            conclude(into: &events)
        }
    }

    // MARK: Events

    /// Whether an event that the stream did not end properly can be used.
    private func isWhole(_ event: ServerSentEvent) -> Bool {
        Self.isDoneMark(event.data) || ChatDocument.parse(event.data, limits: limits) != nil
    }

    private mutating func take(_ event: ServerSentEvent, into events: inout [ModelEvent]) {
        if Self.isDoneMark(event.data) {
            isDone = true
            guard hasChoice || reason != nil else {
                fail(.invalid(detail: "answer without choices"), into: &events)
                return
            }
            reason = reason ?? .finished(.stop)
            conclude(into: &events)
            return
        }
        if event.data.isEmpty { return }
        if event.type != "error", let chunk = ChatChunk.plain(event.data, limits: limits) {
            take(chunk, into: &events)
            return
        }
        guard let value = ChatDocument.parse(event.data, limits: limits) else {
            let text = event.type == "error" ? String(decoding: event.data, as: UTF8.self) : "chunk is not json"
            fail(.invalid(detail: ChatErrorText.clean(text)), into: &events)
            return
        }
        var chunk = ChatChunk(value)
        if event.type == "error", chunk.error == nil { chunk.error = ChatErrorText.error(in: value) }
        take(chunk, into: &events)
    }

    private mutating func take(_ chunk: ChatChunk, into events: inout [ModelEvent]) {
        usage = chunk.usage ?? usage
        hasChoice = hasChoice || chunk.hasChoice
        if chunk.hasReasoning { takeReasoning(into: &events) }
        show(chunk.text, into: &events)
        guard !hasEnded else { return }
        if let error = chunk.error {
            fail(error, into: &events)
        } else if let found = chunk.reason {
            reason = found
            hasReason = true
        }
    }

    private mutating func takeReasoning(into events: inout [ModelEvent]) {
        // Once for a run of thoughts.
        if !isReasoning { events.append(.reasoning) }
        isReasoning = true
    }

    private mutating func show(_ text: String, into events: inout [ModelEvent]) {
        guard !text.isEmpty else { return }
        isReasoning = false
        let room = limits.answerBytes - answerByteCount
        var shown = text
        if text.utf8.count > room {
            shown = ""
            var count = 0
            for character in text {
                count += character.utf8.count
                if count > room { break }
                shown.append(character)
            }
        }
        answerByteCount += shown.utf8.count
        if case .text(let before) = events.last {
            events[events.count - 1] = .text(before + shown)
        } else if !shown.isEmpty {
            events.append(.text(shown))
        }
        if shown.utf8.count < text.utf8.count { end(.finished(.length), into: &events) }
    }

    // MARK: The end

    private mutating func conclude(into events: inout [ModelEvent]) {
        switch reason ?? .finished(.stop) {
        case .failed(let error): end(.failed(error), into: &events)
        case .finished(let reason): end(.finished(reason), into: &events)
        }
    }

    private mutating func fail(_ error: ModelError, into events: inout [ModelEvent]) {
        end(.failed(error), into: &events)
    }

    /// A limit is passed: what was shown so far stands, as an answer that was cut.
    private mutating func cut(because detail: String, into events: inout [ModelEvent]) {
        end(answerByteCount > 0 ? .finished(.length) : .failed(.invalid(detail: detail)), into: &events)
    }

    private mutating func end(_ last: ModelEvent, into events: inout [ModelEvent]) {
        hasEnded = true
        if let usage { events.append(.usage(usage)) }
        events.append(last)
        kept = []
    }

    private static func isDoneMark(_ data: [UInt8]) -> Bool {
        data.count <= doneMark.count + 2 && data.filter { $0 != 0x20 } == doneMark
    }

    private static let doneMark = Array("[DONE]".utf8)

    /// White space and the bytes of a byte order mark.
    private static let leading: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF]
}

extension [UInt8] {
    /// Appends a span's bytes in one copy.
    fileprivate mutating func append(contentsOf bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
