// EventEncoder+Snapshot: the fields of `session.snapshot`.
// Spec: docs/protocol.md §3

extension EventEncoder {
    func append(_ snapshot: SessionSnapshot, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"session.snapshot""#, to: &buffer)
        append(",\"last_seq\":", snapshot.lastSeq, to: &buffer)
        append(",\"part\":", snapshot.part, to: &buffer)
        append(",\"parts\":", snapshot.parts, to: &buffer)
        if let running = snapshot.running {
            JSONWriter.append(literal: #","turn":{"turn":"#, to: &buffer)
            JSONWriter.append(running.turn.description, to: &buffer)
            append(re: running.re, to: &buffer)
            append(",\"text\":", running.text, to: &buffer)
            append(running.shown, to: &buffer)
            JSONWriter.append(literal: "}", to: &buffer)
        }
        JSONWriter.append(literal: #","confirmations":[],"turns":["#, to: &buffer)
        for (index, ended) in snapshot.turns.enumerated() {
            JSONWriter.append(literal: index > 0 ? #",{"turn":"# : #"{"turn":"#, to: &buffer)
            JSONWriter.append(ended.turn.description, to: &buffer)
            append(re: ended.re, to: &buffer)
            append(",\"status\":", ended.status.rawValue, to: &buffer)
            append(",\"reason\":", orNull: ended.reason, to: &buffer)
            append(",\"question\":", ended.question, to: &buffer)
            append(",\"answer\":", ended.answer, to: &buffer)
            append(",\"summary\":", ended.summary, to: &buffer)
            if !ended.shown.isEmpty { append(ended.shown, to: &buffer) }
            JSONWriter.append(literal: "}", to: &buffer)
        }
        JSONWriter.append(literal: "]", to: &buffer)
    }

    private func append(_ shown: SessionSnapshot.Shown, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #","highlights":["#, to: &buffer)
        for (index, highlight) in shown.highlights.enumerated() {
            JSONWriter.append(literal: index > 0 ? #",{"turn":"# : #"{"turn":"#, to: &buffer)
            JSONWriter.append(highlight.turn.description, to: &buffer)
            append(highlight, to: &buffer)
            JSONWriter.append(literal: "}", to: &buffer)
        }
        JSONWriter.append(literal: #"],"next_actions":["#, to: &buffer)
        for (index, action) in shown.nextActions.enumerated() {
            JSONWriter.append(literal: index > 0 ? #",{"turn":"# : #"{"turn":"#, to: &buffer)
            JSONWriter.append(action.turn.description, to: &buffer)
            append(action, to: &buffer)
            JSONWriter.append(literal: "}", to: &buffer)
        }
        JSONWriter.append(literal: "]", to: &buffer)
    }
}
