// EventStreamParser: the bytes of a text/event-stream, cut anywhere, become events.
// Spec: WHATWG HTML §9.2.5 and §9.2.6

/// The bytes of a `text/event-stream`, cut anywhere, become events.
///
/// Works on bytes only: a Swift `String` takes CR LF for one character and would never split such lines. A line that
/// lies whole in one chunk is read in place; only an unfinished one is copied. Every cut of the same bytes gives the
/// same events, and each byte is looked at a constant number of times.
public struct EventStreamParser: Sendable {
    /// Longest line, in bytes without its end.
    ///
    /// Default 64 KiB: a token's chunk has a few hundred bytes.
    public let maximumLineBytes: Int
    /// Longest event, in bytes of data, type and id.
    ///
    /// Default 256 KiB.
    public let maximumEventBytes: Int
    /// The pause before a new connection that the stream asked for last, in milliseconds; nil: none.
    public private(set) var retryMilliseconds: Int?
    /// Whether any line so far was a comment or a known field; false for a body that is no event stream at all.
    public private(set) var hasKnownLine = false

    private var unfinishedLine: [UInt8] = []
    private var data: [UInt8] = []
    private var hasData = false
    private var type: [UInt8] = []
    private var lastEventID: [UInt8] = []
    private var skipsLineFeed = false
    private var isAtFirstLine = true
    private var failure: EventStreamError?

    /// Makes a parser at the start of a stream.
    public init(maximumLineBytes: Int = 65_536, maximumEventBytes: Int = 262_144) {
        self.maximumLineBytes = maximumLineBytes
        self.maximumEventBytes = maximumEventBytes
    }

    /// Takes the next bytes and appends the events that they complete.
    ///
    /// - Parameters:
    ///   - bytes: what the stream brought, any number of bytes.
    ///   - events: receives the events; those before a fault are in it even when this throws.
    /// - Throws: ``EventStreamError`` when a limit is passed; from then on at every call.
    public mutating func receive(
        _ bytes: Span<UInt8>, into events: inout [ServerSentEvent]
    ) throws(EventStreamError) {
        if let failure { throw failure }
        var start = 0
        if skipsLineFeed, !bytes.isEmpty {
            // The second half of a CR LF whose CR ended the last chunk.
            skipsLineFeed = false
            if bytes[0] == Self.lineFeed { start = 1 }
        }
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == Self.lineFeed || byte == Self.carriageReturn else {
                index += 1
                continue
            }
            let line = bytes.extracting(start..<index)
            if unfinishedLine.isEmpty {
                try take(line, into: &events)
            } else {
                try keep(line)
                // Moved out so that the span below does not borrow from self; the storage goes back afterwards.
                var whole: [UInt8] = []
                swap(&whole, &unfinishedLine)
                try take(whole.span, into: &events)
                whole.removeAll(keepingCapacity: true)
                swap(&whole, &unfinishedLine)
            }
            index += 1
            if byte == Self.carriageReturn {
                if index == bytes.count {
                    skipsLineFeed = true
                } else if bytes[index] == Self.lineFeed {
                    index += 1
                }
            }
            start = index
        }
        try keep(bytes.extracting(start..<bytes.count))
    }

    /// The same for an array.
    public mutating func receive(_ bytes: [UInt8], into events: inout [ServerSentEvent]) throws(EventStreamError) {
        try receive(bytes.span, into: &events)
    }

    /// Says that the stream ended, and returns what stood there without its blank line.
    ///
    /// The standard drops such an event, since it may be cut short. Model servers do leave out the last blank line, so
    /// it is handed back apart from the others: use it only where it proves to be whole.
    public mutating func finish() -> ServerSentEvent? {
        guard failure == nil else { return nil }
        var events: [ServerSentEvent] = []
        var last: [UInt8] = []
        swap(&last, &unfinishedLine)
        do throws(EventStreamError) {
            if !last.isEmpty { try take(last.span, into: &events) }
        } catch {
            return nil
        }
        dispatch(into: &events)
        return events.last
    }

    // MARK: Lines

    private mutating func keep(_ part: Span<UInt8>) throws(EventStreamError) {
        guard unfinishedLine.count + part.count <= maximumLineBytes else {
            throw fail(.lineTooLong(limit: maximumLineBytes))
        }
        unfinishedLine.append(part)
    }

    private mutating func take(_ found: Span<UInt8>, into events: inout [ServerSentEvent]) throws(EventStreamError) {
        guard found.count <= maximumLineBytes else { throw fail(.lineTooLong(limit: maximumLineBytes)) }
        var from = 0
        if isAtFirstLine {
            isAtFirstLine = false
            if found.count >= 3, found[0] == 0xEF, found[1] == 0xBB, found[2] == 0xBF { from = 3 }
        }
        let line = found.extracting(from..<found.count)
        if line.isEmpty {
            dispatch(into: &events)
            return
        }
        var colon = 0
        while colon < line.count, line[colon] != Self.colon { colon += 1 }
        // A line that begins with a colon is a comment.
        if colon == 0 {
            hasKnownLine = true
            return
        }
        var valueStart = min(colon + 1, line.count)
        if valueStart < line.count, line[valueStart] == Self.space { valueStart += 1 }
        try take(
            field: line.extracting(0..<colon), value: line.extracting(valueStart..<line.count))
    }

    private mutating func take(field: Span<UInt8>, value: Span<UInt8>) throws(EventStreamError) {
        let known = Self.field(named: field)
        if known != nil { hasKnownLine = true }
        switch known {
        case .data:
            let added = value.count + (hasData ? 1 : 0)
            guard eventByteCount + added <= maximumEventBytes else {
                throw fail(.eventTooLong(limit: maximumEventBytes))
            }
            if hasData { data.append(Self.lineFeed) }
            hasData = true
            data.append(value)
        case .event:
            guard data.count + lastEventID.count + value.count <= maximumEventBytes else {
                throw fail(.eventTooLong(limit: maximumEventBytes))
            }
            type.removeAll(keepingCapacity: true)
            type.append(value)
        case .id:
            // An id with a NUL is ignored by the standard.
            for index in 0..<value.count where value[index] == 0 { return }
            guard data.count + type.count + value.count <= maximumEventBytes else {
                throw fail(.eventTooLong(limit: maximumEventBytes))
            }
            lastEventID.removeAll(keepingCapacity: true)
            lastEventID.append(value)
        case .retry:
            if let number = Self.number(value) { retryMilliseconds = number }
        case nil:
            return
        }
    }

    private mutating func dispatch(into events: inout [ServerSentEvent]) {
        // An event without data is dropped, and its type with it.
        if hasData {
            events.append(
                ServerSentEvent(
                    type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self), data: data,
                    lastEventID: lastEventID.isEmpty ? "" : String(decoding: lastEventID, as: UTF8.self)))
        }
        hasData = false
        data = []
        type.removeAll(keepingCapacity: true)
    }

    private mutating func fail(_ error: EventStreamError) -> EventStreamError {
        failure = error
        unfinishedLine = []
        data = []
        return error
    }

    private var eventByteCount: Int { data.count + type.count + lastEventID.count }

    // MARK: Fields

    private enum Field {
        case data
        case event
        case id
        case retry
    }

    private static func field(named name: Span<UInt8>) -> Field? {
        if equals(name, "data") { return .data }
        if equals(name, "event") { return .event }
        if equals(name, "id") { return .id }
        if equals(name, "retry") { return .retry }
        return nil
    }

    private static func equals(_ name: Span<UInt8>, _ text: StaticString) -> Bool {
        guard name.count == text.utf8CodeUnitCount else { return false }
        for index in 0..<name.count where unsafe name[index] != text.utf8Start[index] { return false }
        return true
    }

    /// A number of ASCII digits only, or nil; nil also where it does not fit.
    private static func number(_ digits: Span<UInt8>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for index in 0..<digits.count {
            guard digits[index] >= 0x30, digits[index] <= 0x39 else { return nil }
            let (tens, isTooBig) = number.multipliedReportingOverflow(by: 10)
            let (sum, isStillTooBig) = tens.addingReportingOverflow(Int(digits[index] - 0x30))
            guard !isTooBig, !isStillTooBig else { return nil }
            number = sum
        }
        return number
    }

    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D
    private static let colon: UInt8 = 0x3A
    private static let space: UInt8 = 0x20
}

extension [UInt8] {
    /// Appends a span's bytes in one copy.
    fileprivate mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
