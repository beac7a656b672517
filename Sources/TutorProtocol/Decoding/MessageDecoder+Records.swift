// MessageDecoder+Records: reads `auth.refresh`, `feedback` and `forget`.
// Spec: docs/protocol.md §8

extension MessageDecoder {
    func authRefresh(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> String {
        var token: String?
        while let name = try reader.nextName() {
            if case "token" = name {
                token = try reader.string(limit: Self.tokenBytes)
            } else {
                try envelope.read(name, &reader)
            }
        }
        guard let token else { throw JSONError(missing: .token, at: envelope.start) }
        return token
    }

    func feedback(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Feedback {
        var turn: TurnID?
        var value: Int64?
        var text: String?
        while let name = try reader.nextName() {
            switch name {
            case "text": text = try reader.optionalString(limit: Self.feedbackBytes)
            case "turn": turn = try reader.turnID()
            case "value":
                let start = try reader.valueStart()
                value = try reader.integer(in: -1...1)
                if value == 0 { throw JSONError(.outOfRange, at: start) }
            default: try envelope.read(name, &reader)
            }
        }
        guard let turn else { throw JSONError(missing: .turn, at: envelope.start) }
        guard let value else { throw JSONError(missing: .value, at: envelope.start) }
        return Feedback(turn: turn, value: Int(value), text: text)
    }

    /// Whether all records of the subject are meant.
    func forget(_ reader: inout JSONReader, _ envelope: inout Envelope) throws(JSONError) -> Bool {
        var all = false
        while let name = try reader.nextName() {
            if case "all" = name {
                if try !reader.null() { all = try reader.boolean() }
            } else {
                try envelope.read(name, &reader)
            }
        }
        return all
    }
}
