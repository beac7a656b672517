// ModelScript: one recorded or written stream, ready to be played.
// Spec: docs/models.md (scripted model)

import TutorCore
import TutorProtocol

/// One recorded or written stream, ready to be played.
public struct ModelScript: Sendable, Hashable {
    /// How a recorded body is cut into pieces.
    public enum Split: Sendable, Hashable {
        /// Into pieces of these sizes, over and over; sizes below 1 count as 1.
        case byteCounts([Int])
        /// After each event.
        case events
        /// Not at all.
        case whole
    }

    /// Largest file, in bytes.
    ///
    /// 4 MiB: an hour of tokens.
    public static let maximumFileBytes = 4_194_304

    package let steps: [PlaybackStep]

    package init(steps: [PlaybackStep]) { self.steps = steps }

    /// A recorded body of an event stream.
    ///
    /// - Parameters:
    ///   - stream: the body.
    ///   - split: how it is cut.
    ///   - pause: before each piece.
    public init(stream: [UInt8], split: Split = .events, pause: Duration = .zero) {
        self.init(pieces: Self.pieces(of: stream, split: split), pause: pause)
    }

    /// A recorded response with its head; its body's chunks are its pieces.
    ///
    /// nil: it has no head of HTTP/1.
    public init?(response: [UInt8], pause: Duration = .zero) {
        guard let recorded = RecordedResponse(response) else { return nil }
        guard ChatRefusal.isAnswer(status: recorded.status) else {
            let refusal = ChatRefusal(
                status: recorded.status, body: Array(recorded.pieces.joined()), retryAfter: nil, limits: ModelLimits())
            self.init(steps: [.event(.failed(refusal.error))])
            return
        }
        self.init(pieces: recorded.pieces, pause: pause)
    }

    /// A script of one JSON object a line, each with one of `text`, `reasoning`, `raw` (bytes of the stream as they
    /// are), `error`, `finish` (a finish reason), `usage` (an object as endpoints send it) and `pause_ms`.
    ///
    /// A script without `finish`, `raw` or `error` ends with `stop`.
    ///
    /// - Throws: the number of the line, from 1, that is none of these.
    public init(lines: [UInt8], pause: Duration = .zero) throws(ScriptLineError) {
        var steps: [PlaybackStep] = []
        var isOpen = true
        for (index, line) in lines.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            guard line.contains(where: { $0 != 0x20 && $0 != 0x0D }) else { continue }
            guard let value = try? JSONValue.parse(Array(line)), let written = WrittenStep(value) else {
                throw ScriptLineError(line: index + 1)
            }
            switch written {
            case .bytes(let bytes, let ends):
                if pause > .zero { steps.append(.pause(pause)) }
                steps.append(.bytes(bytes))
                if ends { isOpen = false }
            case .pause(let pause):
                steps.append(.pause(pause))
            }
        }
        if isOpen { steps.append(.bytes(WrittenStep.chunk(["finish_reason": .string("stop")]))) }
        self.init(steps: steps)
    }

    private init(pieces: [[UInt8]], pause: Duration) {
        steps = pieces.flatMap { pause > .zero ? [.pause(pause), .bytes($0)] : [PlaybackStep.bytes($0)] }
    }

    private static func pieces(of stream: [UInt8], split: Split) -> [[UInt8]] {
        switch split {
        case .byteCounts(let sizes):
            var pieces: [[UInt8]] = []
            var start = 0
            while start < stream.count {
                let wanted = sizes.isEmpty ? stream.count : max(1, sizes[pieces.count % sizes.count])
                let end = start + min(wanted, stream.count - start)
                pieces.append(Array(stream[start..<end]))
                start = end
            }
            return pieces
        case .events:
            // After every empty line, whatever its line ends are.
            var pieces: [[UInt8]] = []
            var start = 0
            var index = 0
            var lineIsEmpty = false
            while index < stream.count {
                let byte = stream[index]
                index += 1
                guard byte == 0x0A || byte == 0x0D else {
                    lineIsEmpty = false
                    continue
                }
                if byte == 0x0D, index < stream.count, stream[index] == 0x0A { index += 1 }
                if lineIsEmpty {
                    pieces.append(Array(stream[start..<index]))
                    start = index
                }
                lineIsEmpty = !lineIsEmpty
            }
            if start < stream.count { pieces.append(Array(stream[start...])) }
            return pieces
        case .whole:
            return stream.isEmpty ? [] : [stream]
        }
    }
}

/// A line of a script that cannot be read.
public struct ScriptLineError: Error, Sendable, Hashable {
    /// The line's number, from 1.
    public var line: Int

    /// Names a line.
    public init(line: Int) { self.line = line }
}

/// What a line of a script stands for.
private enum WrittenStep {
    /// Bytes of the stream; whether they end the answer.
    case bytes([UInt8], ends: Bool)
    case pause(Duration)

    init?(_ value: JSONValue) {
        guard let members = value.object, members.count == 1, let (name, value) = members.first else { return nil }
        switch (name, value) {
        case ("text", .string): self = .bytes(Self.chunk(["delta": .object(["content": value])]), ends: false)
        case ("reasoning", .string):
            self = .bytes(Self.chunk(["delta": .object(["reasoning_content": value])]), ends: false)
        case ("finish", .string): self = .bytes(Self.chunk(["finish_reason": value]), ends: true)
        case ("usage", .object): self = .bytes(Self.event(.object(["usage": value])), ends: false)
        case ("error", .string):
            self = .bytes(Self.event(.object(["error": .object(["message": value])])), ends: true)
        case ("raw", .string(let text)): self = .bytes(Array(text.utf8), ends: true)
        case ("pause_ms", _):
            guard let milliseconds = value.int, (0...600_000).contains(milliseconds) else { return nil }
            self = .pause(.milliseconds(milliseconds))
        default: return nil
        }
    }

    static func chunk(_ choice: [String: JSONValue]) -> [UInt8] {
        event(.object(["choices": .array([.object(choice)])]))
    }

    private static func event(_ value: JSONValue) -> [UInt8] {
        var bytes = Array("data: ".utf8)
        value.append(to: &bytes)
        return bytes + [0x0A, 0x0A]
    }
}
