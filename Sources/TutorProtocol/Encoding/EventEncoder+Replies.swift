// EventEncoder+Replies: the fields of messages that the log does not number.
// Spec: docs/protocol.md §3, §4, §5 rule 9, §10

extension EventEncoder {
    func append(_ bye: Bye, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"bye","reason":"#, to: &buffer)
        JSONWriter.append(bye.reason.rawValue, to: &buffer)
        append(",\"in_ms\":", bye.inMilliseconds, to: &buffer)
        append(",\"resumable\":", bye.resumable, to: &buffer)
    }

    func append(_ error: ErrorMessage, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"error""#, to: &buffer)
        append(re: error.re, to: &buffer)
        append(",\"code\":", error.code.rawValue, to: &buffer)
        append(",\"message\":", error.message, to: &buffer)
        append(",\"path\":", error.path, to: &buffer)
        append(",\"retry_ms\":", error.retryMilliseconds, to: &buffer)
        append(",\"fatal\":", error.isFatal, to: &buffer)
    }

    func append(_ update: HighlightUpdate, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"highlight.update""#, to: &buffer)
        append(update.turn, to: &buffer)
        append(",\"element\":", update.element.rawValue, to: &buffer)
        if let box = update.box {
            append(box: box, to: &buffer)
        } else {
            JSONWriter.append(literal: #","box":null"#, to: &buffer)
        }
        append(",\"revision\":", update.revision, to: &buffer)
        append(",\"why\":", update.why?.rawValue, to: &buffer)
    }

    func append(_ ack: ScreenAck, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"screen.ack""#, to: &buffer)
        append(re: ack.re, to: &buffer)
        append(",\"revision\":", ack.revision, to: &buffer)
        append(",\"elements\":", ack.elements, to: &buffer)
        guard let ids = ack.ids else { return }
        JSONWriter.append(literal: #","ids":["#, to: &buffer)
        for (index, id) in ids.enumerated() {
            if index > 0 { JSONWriter.append(literal: ",", to: &buffer) }
            JSONWriter.append(id.rawValue, to: &buffer)
        }
        JSONWriter.append(literal: "]", to: &buffer)
    }

    func append(_ welcome: Welcome, to buffer: inout [UInt8]) {
        JSONWriter.append(literal: #"{"type":"welcome""#, to: &buffer)
        append(re: welcome.re, to: &buffer)
        append(",\"session\":", welcome.session, to: &buffer)
        append(",\"key\":", welcome.key, to: &buffer)
        append(",\"epoch\":", welcome.epoch, to: &buffer)
        append(",\"resumed\":", welcome.resumed.rawValue, to: &buffer)
        append(",\"why\":", orNull: welcome.why?.rawValue, to: &buffer)
        append(",\"last_seq\":", welcome.lastSeq, to: &buffer)
        append(",\"screen_revision\":", welcome.screenRevision, to: &buffer)
        JSONWriter.append(literal: #","limits":{"#, to: &buffer)
        for (index, limit) in welcome.limits.named.enumerated() {
            if index > 0 { JSONWriter.append(literal: ",", to: &buffer) }
            JSONWriter.append(limit.name, to: &buffer)
            JSONWriter.append(literal: ":", to: &buffer)
            JSONWriter.append(limit.value, to: &buffer)
        }
        JSONWriter.append(literal: #"},"policy":{"paused":false},"watchers":[]"#, to: &buffer)
        if let expiry = welcome.tokenExpiresAt {
            JSONWriter.append(literal: #","token_expires_at":""#, to: &buffer)
            WireTime.append(milliseconds: expiry, to: &buffer)
            JSONWriter.append(literal: "\"", to: &buffer)
        }
        append(",\"version\":", welcome.version, to: &buffer)
    }
}
