// HTTPHeaders: the header fields of a request or an answer, in order.
// Spec: RFC 9110 §5

/// The header fields of a request or an answer, in order.
///
/// Names are compared without regard to case.
public struct HTTPHeaders: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        /// The name as it was written.
        public var name: String

        /// The value without surrounding space.
        public var value: String
    }

    /// The fields in the order in which they came or will be written.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Fields in the given order.
    public init(_ pairs: [(String, String)]) {
        fields = pairs.map { Field(name: $0.0, value: $0.1) }
    }

    /// Appends a field, beside others of the same name.
    ///
    /// Anything is taken here; `HTTPResponse` writes no control character and no malformed name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Replaces all fields of this name with one.
    public mutating func set(_ name: String, _ value: String) {
        fields.removeAll { FieldGrammar.isEqualIgnoringCase($0.name, name) }
        add(name, value)
    }

    /// The first value of this name.
    ///
    /// For fields that may stand only once, check `count(of:)`.
    public func first(_ name: String) -> String? {
        fields.first { FieldGrammar.isEqualIgnoringCase($0.name, name) }?.value
    }

    /// All values of this name, in order.
    public func all(_ name: String) -> [String] {
        fields.filter { FieldGrammar.isEqualIgnoringCase($0.name, name) }.map(\.value)
    }

    /// How often this name stands.
    public func count(of name: String) -> Int {
        fields.count { FieldGrammar.isEqualIgnoringCase($0.name, name) }
    }

    /// The members of a comma-separated field, over all fields of this name.
    public func list(_ name: String) -> [String] {
        all(name).flatMap { value in
            let bytes = [UInt8](value.utf8)
            return FieldGrammar.members(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }

    /// Whether a comma-separated field has this member, without regard to case.
    public func lists(_ member: String, in name: String) -> Bool {
        list(name).contains { FieldGrammar.isEqualIgnoringCase($0, member) }
    }
}
