// EventEncoder: writes everything that the server sends, in the student's own coordinates.
// Spec: docs/protocol.md §2-§5, §10

/// Writes everything that the server sends, in the student's own coordinates.
///
/// Keys stand in a fixed order, `type` first. A value that is absent is left out, but `why` of `welcome`, `reason` of
/// `turn.end` and `box` of `highlight.update` are written as `null`.
public struct EventEncoder: Sendable {
    /// The client's convention.
    ///
    /// Replaced when a snapshot brings another size.
    public var mapper: CoordinateMapper

    /// Makes an encoder for a client's convention.
    public init(mapper: CoordinateMapper = .canonical) { self.mapper = mapper }

    /// Appends a message that the log does not number.
    ///
    /// `now` is the time in milliseconds since 1970, which only `pong` tells; without it that field is left out.
    public func append(_ message: ServerMessage, now: Int64? = nil, to buffer: inout [UInt8]) {
        switch message {
        case .bye(let bye): append(bye, to: &buffer)
        case .error(let error): append(error, to: &buffer)
        case .highlightUpdate(let update): append(update, to: &buffer)
        case .limit(let notice):
            JSONWriter.append(literal: #"{"type":"limit""#, to: &buffer)
            append(",\"scope\":", notice.scope, to: &buffer)
            append(",\"used\":", notice.used, to: &buffer)
            append(",\"left\":", notice.left, to: &buffer)
            append(",\"reset_ms\":", notice.resetMilliseconds, to: &buffer)
        case .ok(let re):
            JSONWriter.append(literal: #"{"type":"ok""#, to: &buffer)
            append(re: re, to: &buffer)
        case .pong(let re, let t):
            JSONWriter.append(literal: #"{"type":"pong""#, to: &buffer)
            append(re: re, to: &buffer)
            append(",\"t\":", t, to: &buffer)
            if let now {
                JSONWriter.append(literal: #","now":""#, to: &buffer)
                WireTime.append(milliseconds: now, to: &buffer)
                JSONWriter.append(literal: "\"", to: &buffer)
            }
        case .screenAck(let ack): append(ack, to: &buffer)
        case .screenResync(let resync):
            JSONWriter.append(literal: #"{"type":"screen.resync""#, to: &buffer)
            append(re: resync.re, to: &buffer)
            append(",\"revision\":", resync.revision, to: &buffer)
            append(",\"why\":", resync.why.rawValue, to: &buffer)
        case .sessionSnapshot(let snapshot): append(snapshot, to: &buffer)
        case .turnState(let turn, let state):
            JSONWriter.append(literal: #"{"type":"turn.state""#, to: &buffer)
            append(turn, to: &buffer)
            append(",\"state\":", state.rawValue, to: &buffer)
        case .welcome(let welcome): append(welcome, to: &buffer)
        }
        JSONWriter.append(literal: "}", to: &buffer)
    }

    /// Appends a numbered event.
    ///
    /// `fromSeq` is the number of the first of the merged `answer.delta`s that the event stands for, nil for one.
    public func append(_ event: LoggedEvent, fromSeq: Int64? = nil, to buffer: inout [UInt8]) {
        switch event.event {
        case .answerDelta(let delta):
            // Nearly all events are these, and short: they are put together on the stack and appended once.
            if fromSeq == nil, ShortEvent.append(delta, seq: event.seq, to: &buffer) { return }
            open(#"{"type":"answer.delta","seq":"#, event.seq, fromSeq, delta.turn, to: &buffer)
            append(",\"text\":", delta.text, to: &buffer)
        case .highlight(let highlight):
            open(#"{"type":"highlight","seq":"#, event.seq, fromSeq, highlight.turn, to: &buffer)
            append(highlight, to: &buffer)
        case .nextAction(let action):
            open(#"{"type":"next_action","seq":"#, event.seq, fromSeq, action.turn, to: &buffer)
            append(action, to: &buffer)
        case .stepObserved(let observed):
            open(#"{"type":"step.observed","seq":"#, event.seq, fromSeq, observed.turn, to: &buffer)
            append(",\"step\":", observed.step, to: &buffer)
            append(",\"met\":", observed.met, to: &buffer)
        case .turnEnd(let end):
            open(#"{"type":"turn.end","seq":"#, event.seq, fromSeq, end.turn, to: &buffer)
            append(end, to: &buffer)
        case .turnStart(let start):
            open(#"{"type":"turn.start","seq":"#, event.seq, fromSeq, start.turn, to: &buffer)
            append(start, to: &buffer)
        }
        JSONWriter.append(literal: "}", to: &buffer)
    }

    // MARK: Parts

    private func open(
        _ head: StaticString, _ seq: Int64, _ fromSeq: Int64?, _ turn: TurnID, to buffer: inout [UInt8]
    ) {
        JSONWriter.append(literal: head, to: &buffer)
        JSONWriter.append(seq, to: &buffer)
        append(",\"from_seq\":", fromSeq, to: &buffer)
        append(turn, to: &buffer)
    }

    func append(re: MessageID?, to buffer: inout [UInt8]) { append(",\"re\":", re?.rawValue, to: &buffer) }

    func append(_ turn: TurnID, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #","turn":"t"#, to: &buffer)
        JSONWriter.append(turn.number, to: &buffer)
        JSONWriter.append(literal: "\"", to: &buffer)
    }

    /// The box in the client's convention.
    ///
    /// One that overflows there is empty, which draws nothing.
    func append(box: Box, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #","box":"#, to: &buffer)
        if let box = mapper.client(box) {
            JSONWriter.append(box, to: &buffer)
        } else {
            JSONWriter.append(literal: "[0,0,0,0]", to: &buffer)
        }
    }

    func append(_ key: StaticString, _ text: String?, to buffer: inout [UInt8]) {
        guard let text else { return }
        JSONWriter.append(literal: key, to: &buffer)
        JSONWriter.append(text, to: &buffer)
    }

    func append(_ key: StaticString, _ number: Int64?, to buffer: inout [UInt8]) {
        guard let number else { return }
        JSONWriter.append(literal: key, to: &buffer)
        JSONWriter.append(number, to: &buffer)
    }

    func append(_ key: StaticString, _ number: Int?, to buffer: inout [UInt8]) {
        append(key, number.map(Int64.init), to: &buffer)
    }

    func append(_ key: StaticString, _ number: Double?, to buffer: inout [UInt8]) {
        guard let number else { return }
        JSONWriter.append(literal: key, to: &buffer)
        JSONWriter.append(number, to: &buffer)
    }

    func append(_ key: StaticString, _ value: Bool, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: key, to: &buffer)
        JSONWriter.append(value, to: &buffer)
    }

    /// A text that is written as `null` when it is absent.
    func append(_ key: StaticString, orNull text: String?, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: key, to: &buffer)
        if let text { JSONWriter.append(text, to: &buffer) } else { JSONWriter.append(literal: "null", to: &buffer) }
    }
}
