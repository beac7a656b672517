// FaultReport: says in the protocol's words what is wrong with a message that was refused.
// Spec: docs/protocol.md §4 (`path`), §10

/// Says in the protocol's words what is wrong with a message that was refused: reads it again to find the path of the
/// fault and the message's id.
///
/// Only refused messages pay for this.
struct FaultReport {
    private let limits: JSONLimits
    private let idBytes: Int
    private var trail: [Step] = []
    private var path: String?
    private var ids: [MessageID?] = []

    private enum Step {
        case index(Int)
        case key(JSONText)
    }

    init(limits: JSONLimits, idBytes: Int) {
        self.limits = limits
        self.idBytes = idBytes
    }

    /// The error for the client.
    func explain(_ error: JSONError, in bytes: Span<UInt8>) -> MessageError {
        var search = self
        var error = error
        do {
            try search.walk(bytes, target: error.isAboutValue ? error.offset : -1, checksKeys: true)
        } catch let later {
            // A message that is not JSON further on is not JSON, whatever its fields are.
            error = later
            // The id may stand behind the fault, where only a rule and not the grammar was broken.
            search = self
            try? search.walk(bytes, target: -1, checksKeys: false)
        }
        // Two different ids name nobody.
        let re = search.ids.count == 1 ? search.ids[0] : nil
        guard error.isAboutValue, bytes.count > 0 else {
            return MessageError(code: .badFrame, message: "not a message: \(error)", re: re)
        }
        if error.reason == .expectedObject, search.path == "" {
            return MessageError(code: .badFrame, message: "not a message: \(error)", re: re)
        }
        if error.reason == .unknownType {
            return MessageError(code: .unknownType, message: error.reason.text, path: search.path, re: re)
        }
        var path = search.path ?? ""
        if let field = error.field { path += path.isEmpty ? field.rawValue : ".\(field.rawValue)" }
        return MessageError(
            code: .badMessage, message: error.reason.text, path: path.isEmpty ? nil : path, re: re)
    }

    /// Reads the whole message; notes the path of the value at `target` and the ids at the top.
    private mutating func walk(_ bytes: Span<UInt8>, target: Int, checksKeys: Bool) throws(JSONError) {
        var copy = self
        defer { self = copy }
        try JSONReader.read(bytes, limits: limits) { (reader) throws(JSONError) in
            reader.refusesInfinity = false
            if !checksKeys { reader.ignoreKeyRules() }
            try copy.visit(&reader, target: target)
            try reader.finish()
        }
    }

    private mutating func visit(_ reader: inout JSONReader, target: Int) throws(JSONError) {
        let kind = try reader.peek()
        if reader.position == target { path = text(of: trail, reader) }
        switch kind {
        case .object:
            try reader.openObject()
            while let key = try reader.nextKey() {
                trail.append(.key(key))
                if trail.count == 1, case "id" = reader.packed(key) { try noteID(&reader) }
                try visit(&reader, target: target)
                trail.removeLast()
            }
        case .array:
            try reader.openArray()
            var index = 0
            while try reader.nextElement() {
                trail.append(.index(index))
                try visit(&reader, target: target)
                trail.removeLast()
                index += 1
            }
        case .boolean, .null, .number, .string: try reader.skip()
        }
    }

    private mutating func noteID(_ reader: inout JSONReader) throws(JSONError) {
        guard try reader.peek() == .string else { return }
        let start = reader.position
        let id = try? reader.messageID(limit: idBytes)
        reader.position = start
        ids.append(id)
    }

    /// The path in the protocol's form.
    ///
    /// It ends before a key that is no name of ours could be: what a client made up is not sent back.
    private func text(of trail: [Step], _ reader: borrowing JSONReader) -> String {
        var path = ""
        for step in trail {
            switch step {
            case .index(let index): path += "[\(index)]"
            case .key(let key):
                guard reader.packed(key) != .other, !key.hasEscapes else { return path }
                let name = reader.string(key)
                let isPlain = name.utf8.allSatisfy { $0 == UInt8(ascii: "_") || ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
                guard isPlain, !name.isEmpty else { return path }
                path += path.isEmpty ? name : ".\(name)"
            }
        }
        return path
    }
}
