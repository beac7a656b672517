// EventEncoder+Turns: the fields of numbered events, after `seq` and `turn`.
// Spec: docs/protocol.md §5

extension EventEncoder {
    func append(_ start: TurnStart, to buffer: inout [UInt8]) {
        append(",\"cause\":", start.cause.rawValue, to: &buffer)
        append(re: start.re, to: &buffer)
        append(",\"revision\":", start.revision, to: &buffer)
        append(",\"model\":", start.model, to: &buffer)
        append(",\"hint_level\":", start.hintLevel, to: &buffer)
        append(",\"context\":{\"elements\":", start.context.elements, to: &buffer)
        append(",\"sent\":", start.context.sent, to: &buffer)
        append(",\"prompt_tokens\":", start.context.promptTokens, to: &buffer)
        append(",\"budget\":", start.context.budget, to: &buffer)
        append(",\"left_out\":", counts: start.context.leftOut, to: &buffer)
        append(",\"redacted\":", counts: start.context.redacted, to: &buffer)
        append(",\"summaries\":", start.context.summaries, to: &buffer)
        JSONWriter.append(literal: "}", to: &buffer)
    }

    func append(_ highlight: Highlight, to buffer: inout [UInt8]) {
        append(",\"at\":", highlight.at, to: &buffer)
        append(",\"element\":", highlight.element.rawValue, to: &buffer)
        append(box: highlight.box, to: &buffer)
        append(",\"revision\":", highlight.revision, to: &buffer)
        append(",\"kind\":", highlight.shape.rawValue, to: &buffer)
        append(",\"label\":", highlight.label, to: &buffer)
        append(",\"ttl_ms\":", highlight.ttlMilliseconds, to: &buffer)
    }

    func append(_ action: NextAction, to buffer: inout [UInt8]) {
        append(",\"at\":", action.at, to: &buffer)
        append(",\"step\":", action.step, to: &buffer)
        append(",\"verb\":", action.verb.rawValue, to: &buffer)
        append(",\"element\":", action.element.rawValue, to: &buffer)
        append(box: action.box, to: &buffer)
        append(",\"revision\":", action.revision, to: &buffer)
        append(",\"text\":", action.text, to: &buffer)
    }

    func append(_ end: TurnEnd, to buffer: inout [UInt8]) {
        append(re: end.re, to: &buffer)
        append(",\"status\":", end.status.rawValue, to: &buffer)
        append(",\"reason\":", orNull: end.reason, to: &buffer)
        append(",\"answer\":", end.answer, to: &buffer)
        append(",\"summary\":", end.summary, to: &buffer)
        JSONWriter.append(literal: #","dropped":["#, to: &buffer)
        for (index, dropped) in end.dropped.enumerated() {
            JSONWriter.append(literal: index > 0 ? #",{"element":"# : #"{"element":"#, to: &buffer)
            JSONWriter.append(dropped.element, to: &buffer)
            append(",\"why\":", dropped.why.rawValue, to: &buffer)
            JSONWriter.append(literal: "}", to: &buffer)
        }
        JSONWriter.append(literal: "]", to: &buffer)
        if let usage = end.usage {
            append(",\"usage\":{\"input\":", usage.input, to: &buffer)
            append(",\"cached\":", usage.cached, to: &buffer)
            append(",\"output\":", usage.output, to: &buffer)
            append(",\"estimated\":", usage.estimated, to: &buffer)
            JSONWriter.append(literal: "}", to: &buffer)
        }
        append(",\"first_text_ms\":", end.firstTextMilliseconds, to: &buffer)
        append(",\"duration_ms\":", end.durationMilliseconds, to: &buffer)
    }

    /// Counts by name, sorted by name.
    private func append(_ key: StaticString, counts: [String: Int], to buffer: inout [UInt8]) {
        JSONWriter.append(literal: key, to: &buffer)
        var separator: StaticString = "{"
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            JSONWriter.append(literal: separator, to: &buffer)
            JSONWriter.append(name, to: &buffer)
            JSONWriter.append(literal: ":", to: &buffer)
            JSONWriter.append(count, to: &buffer)
            separator = ","
        }
        JSONWriter.append(literal: counts.isEmpty ? "{}" : "}", to: &buffer)
    }
}
