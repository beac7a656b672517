// EventFields: the fields of a numbered event while it is read.
// Spec: docs/protocol.md §5

/// The fields of a numbered event while it is read; which of them it must have is known at its end.
struct EventFields {
    private let start: Int
    private var type = ""
    private var typeStart: Int
    private var seq: Int64?
    private var fromSeq: Int64?
    private var turn: TurnID?
    private var re: MessageID?
    private var text: String?
    private var at: Int?
    private var element: ElementID?
    private var box: Box?
    private var revision: Int64?
    private var kind: Highlight.Shape?
    private var label: String?
    private var ttl: Int?
    private var step: Int?
    private var verb: NextAction.Verb?
    private var met: Bool?
    private var cause: TurnStart.Cause?
    private var model: String?
    private var hintLevel: Int?
    private var context: TurnStart.Context?
    private var status: TurnEnd.Status?
    private var reason: String?
    private var answer: String?
    private var summary: String?
    private var dropped: [TurnEnd.Dropped]?
    private var usage: TurnEnd.Usage?
    private var firstText: Int?
    private var duration: Int?

    init(start: Int) {
        self.start = start
        typeStart = start
    }

    // MARK: Reading

    /// Reads the value of one key.
    mutating func read(_ name: PackedName, _ reader: inout JSONReader) throws(JSONError) {
        switch name {
        case "type":
            typeStart = try reader.valueStart()
            type = reader.string(try reader.text())
        case "seq": seq = try reader.revision()
        case "from_seq": fromSeq = try reader.revision()
        case "turn": turn = try reader.turnID()
        case "re": re = try reader.messageID(limit: MessageID.maximumByteCount)
        case "text": text = reader.string(try reader.text())
        case "at": at = try reader.count()
        case "element": element = try reader.elementID()
        case "box": box = try reader.box()
        case "revision": revision = try reader.revision()
        case "kind": kind = try reader.name(of: Highlight.Shape.self)
        case "label": label = reader.string(try reader.text())
        case "ttl_ms": ttl = try reader.count()
        case "step": step = try reader.count()
        case "verb": verb = try reader.name(of: NextAction.Verb.self)
        case "met": met = try reader.boolean()
        case "cause": cause = try reader.name(of: TurnStart.Cause.self)
        case "model": model = reader.string(try reader.text())
        case "hint_level": hintLevel = try reader.count()
        case "context": context = try reader.turnContext()
        case "status": status = try reader.name(of: TurnEnd.Status.self)
        case "reason": reason = try reader.null() ? nil : reader.string(try reader.text())
        case "answer": answer = reader.string(try reader.text())
        case "summary": summary = reader.string(try reader.text())
        case "dropped": dropped = try reader.dropped()
        case "usage": usage = try reader.usage()
        case "first_text_ms": firstText = try reader.count()
        case "duration_ms": duration = try reader.count()
        default: try reader.skip()
        }
    }

    // MARK: The event

    /// The event that the fields make.
    func entry() throws(JSONError) -> EventDecoder.Entry {
        let seq = try need(seq)
        if let fromSeq, fromSeq > seq { throw JSONError(.outOfRange, at: start) }
        return EventDecoder.Entry(event: LoggedEvent(seq: seq, event: try event()), fromSeq: fromSeq)
    }

    private func event() throws(JSONError) -> TurnEvent {
        let turn = try need(turn)
        switch type {
        case "answer.delta": return .answerDelta(AnswerDelta(turn: turn, text: try need(text)))
        case "highlight":
            return .highlight(
                Highlight(
                    turn: turn, at: try need(at), element: try need(element), box: try need(box),
                    revision: try need(revision), shape: try need(kind), label: label, ttlMilliseconds: try need(ttl)))
        case "next_action":
            return .nextAction(
                NextAction(
                    turn: turn, at: try need(at), step: try need(step), verb: try need(verb),
                    element: try need(element), box: try need(box), revision: try need(revision), text: text))
        case "step.observed":
            return .stepObserved(StepObserved(turn: turn, step: try need(step), met: try need(met)))
        case "turn.end":
            return .turnEnd(
                TurnEnd(
                    turn: turn, re: re, status: try need(status), reason: reason, answer: try need(answer),
                    summary: summary, dropped: try need(dropped), usage: usage, firstTextMilliseconds: firstText,
                    durationMilliseconds: try need(duration)))
        case "turn.start":
            return .turnStart(
                TurnStart(
                    turn: turn, cause: try need(cause), re: re, revision: revision, model: try need(model),
                    hintLevel: try need(hintLevel), context: try need(context)))
        default: throw JSONError(.unknownType, at: typeStart)
        }
    }

    private func need<Value>(_ value: Value?) throws(JSONError) -> Value {
        guard let value else { throw JSONError(.missing, at: start) }
        return value
    }
}
