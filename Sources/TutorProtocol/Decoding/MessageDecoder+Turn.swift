// MessageDecoder+Turn: reads `ask`, `cancel`, `step.result` and `highlight.missed`.
// Spec: docs/protocol.md §5

extension MessageDecoder {
    func ask(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Ask {
        var ask = Ask(text: "")
        var textStart: Int?
        while let name = try reader.nextName() {
            switch name {
            case "focus": if try !reader.null() { ask.focus = try reader.focus() }
            case "hint_level": if try !reader.null() { ask.hintLevel = Int(try reader.integer(in: 0...4)) }
            case "language": if try !reader.null() { ask.language = try reader.languageTag() }
            case "of": if try !reader.null() { ask.of = try reader.turnID() }
            case "revision": if try !reader.null() { ask.revision = try reader.revision() }
            case "text":
                textStart = try reader.valueStart()
                ask.text = try reader.optionalString(limit: limits.questionBytes) ?? ""
            case "when_busy": if try !reader.null() { ask.whenBusy = try reader.name(of: Ask.WhenBusy.self) }
            default: try envelope.read(name, &reader)
            }
        }
        guard envelope.id != nil else { throw JSONError(missing: .id, at: envelope.start) }
        if ask.of == nil, ask.text.allSatisfy(\.isWhitespace) {
            guard let textStart else { throw JSONError(missing: .text, at: envelope.start) }
            throw JSONError(.empty, at: textStart)
        }
        return ask
    }

    func cancel(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Cancel {
        var turn: TurnID?
        var ask: MessageID?
        var lastStart = envelope.start
        while let name = try reader.nextName() {
            switch name {
            case "ask":
                lastStart = try reader.valueStart()
                ask = try reader.null() ? nil : reader.messageID(limit: limits.messageIDBytes)
            case "turn":
                lastStart = try reader.valueStart()
                turn = try reader.null() ? nil : reader.turnID()
            default: try envelope.read(name, &reader)
            }
        }
        switch (turn, ask) {
        case (let turn?, nil): return .turn(turn)
        case (nil, let ask?): return .ask(ask)
        case (nil, nil): throw JSONError(missing: .turn, at: envelope.start)
        case (_?, _?): throw JSONError(.unwanted, at: lastStart)
        }
    }

    func stepResult(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> StepResult {
        var turn: TurnID?
        var step: Int64?
        var ok: Bool?
        while let name = try reader.nextName() {
            switch name {
            case "ok": ok = try reader.boolean()
            case "step": step = try reader.integer(in: 1...Self.largestCount)
            case "turn": turn = try reader.turnID()
            default: try envelope.read(name, &reader)
            }
        }
        guard let turn else { throw JSONError(missing: .turn, at: envelope.start) }
        guard let step else { throw JSONError(missing: .step, at: envelope.start) }
        guard let ok else { throw JSONError(missing: .ok, at: envelope.start) }
        return StepResult(turn: turn, step: Int(step), ok: ok)
    }

    func highlightMissed(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> HighlightMissed {
        var turn: TurnID?
        var element: ElementID?
        var why = ""
        while let name = try reader.nextName() {
            switch name {
            case "element": element = try reader.elementID()
            case "turn": turn = try reader.turnID()
            case "why": why = try reader.cutString(limit: Self.reportBytes) ?? ""
            default: try envelope.read(name, &reader)
            }
        }
        guard let turn else { throw JSONError(missing: .turn, at: envelope.start) }
        guard let element else { throw JSONError(missing: .element, at: envelope.start) }
        return HighlightMissed(turn: turn, element: element, why: why)
    }

    /// Largest step or line number.
    static let largestCount: Int64 = 1_000_000_000
}
