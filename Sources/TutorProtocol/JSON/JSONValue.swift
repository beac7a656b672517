// JSONValue: a JSON value as a tree, for input that is not hot.
// Spec: RFC 8259

/// A JSON value as a tree, for input that is not hot: streams of models, command-line batches, tests.
///
/// Hot messages go through ``MessageDecoder``, which makes no tree. Both read with ``JSONReader``.
public enum JSONValue: Sendable, Hashable {
    case array([JSONValue])
    case bool(Bool)
    case null
    /// Whole numbers are exact up to 2^53 - 1.
    case number(Double)
    case object([String: JSONValue])
    case string(String)

    /// Reads one value; nothing but white space may follow it.
    public static func parse(_ bytes: Span<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw JSONError(.tooManyBytes, at: limits.bytes) }
        return try JSONReader.read(bytes, limits: limits) { (reader) throws(JSONError) in
            var left = limits.values
            let value = try read(&reader, left: &left)
            try reader.finish()
            return value
        }
    }

    /// Reads one value; nothing but white space may follow it.
    public static func parse(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) -> JSONValue {
        try parse(bytes.span, limits: limits)
    }

    // MARK: Looking inside

    /// The member of an object; nil when this is no object or has no such key.
    public subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    /// The element of an array; nil when this is no array or has no such index.
    public subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// The elements of an array.
    public var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    /// The value of `true` or `false`.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    /// The value of a number.
    public var double: Double? { if case .number(let value) = self { value } else { nil } }

    /// The value of a whole number of at most 2^53 - 1 either side of zero.
    public var int: Int? {
        guard case .number(let value) = self, let whole = Int64(ifWhole: value) else { return nil }
        return Int(whole)
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The members of an object.
    public var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }

    /// The text of a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    // MARK: Writing

    /// Writes the value, keys sorted.
    public func append(to buffer: inout [UInt8]) {
        switch self {
        case .array(let elements):
            var separator: StaticString = "["
            for element in elements {
                JSONWriter.append(literal: separator, to: &buffer)
                element.append(to: &buffer)
                separator = ","
            }
            JSONWriter.append(literal: elements.isEmpty ? "[]" : "]", to: &buffer)
        case .bool(let value): JSONWriter.append(value, to: &buffer)
        case .null: JSONWriter.append(literal: "null", to: &buffer)
        case .number(let value): JSONWriter.append(value, to: &buffer)
        case .object(let members):
            var separator: StaticString = "{"
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                JSONWriter.append(literal: separator, to: &buffer)
                JSONWriter.append(key, to: &buffer)
                JSONWriter.append(literal: ":", to: &buffer)
                member.append(to: &buffer)
                separator = ","
            }
            JSONWriter.append(literal: members.isEmpty ? "{}" : "}", to: &buffer)
        case .string(let text): JSONWriter.append(text, to: &buffer)
        }
    }

    // MARK: Reading

    private static func read(_ reader: inout JSONReader, left: inout Int) throws(JSONError) -> JSONValue {
        let kind = try reader.peek()
        guard left > 0 else { throw JSONError(.tooManyValues, at: reader.position) }
        left -= 1
        switch kind {
        case .array:
            var elements: [JSONValue] = []
            try reader.openArray()
            while try reader.nextElement() { elements.append(try read(&reader, left: &left)) }
            return .array(elements)
        case .boolean: return .bool(try reader.boolean())
        case .null:
            _ = try reader.null()
            return .null
        case .number: return .number(try reader.number())
        case .object:
            var members: [String: JSONValue] = [:]
            try reader.openObject()
            while let key = try reader.nextKey() {
                // Two keys can differ in bytes and still be one String (canonical equivalence); the first one stays.
                let name = reader.string(key)
                let value = try read(&reader, left: &left)
                if members[name] == nil { members[name] = value }
            }
            return .object(members)
        case .string: return .string(reader.string(try reader.text()))
        }
    }
}
