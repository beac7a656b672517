// JSONError: why bytes are not the JSON that is wanted, and where.
// Spec: docs/protocol.md §10 (`bad_frame`, `bad_message`); RFC 8259

/// Why bytes are not the JSON that is wanted, and where.
///
/// Small and trivial, so that throwing it costs nothing on the way down; a path is worked out from the offset only when
/// somebody is to read it.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: UInt8, Sendable, Hashable, CaseIterable {
        // Grammar: RFC 8259 and RFC 3629.
        case controlCharacter
        case invalidEscape
        case invalidNumber
        case invalidUTF8
        case trailingBytes
        case unexpectedByte
        case unexpectedEnd

        // Rules of the reader.
        case duplicateKey
        case tooDeep
        case tooManyBytes
        case tooManyKeys
        case tooManyValues

        // The JSON is fine, a value is not what its reader wants.
        case duplicateID
        case empty
        case expectedArray
        case expectedBoolean
        case expectedBox
        case expectedInteger
        case expectedNumber
        case expectedObject
        case expectedPoint
        case expectedSize
        case expectedString
        case invalidFocus
        case invalidID
        case invalidTag
        case missing
        case notAboveBase
        case numberNotFinite
        case outOfRange
        case tooLong
        case tooMany
        case unknownName
        case unknownType
        case unwanted
    }

    /// What is wrong.
    public let reason: Reason
    /// Where, in bytes from the start: the byte that does not fit, or the first byte of the value that is refused.
    public let offset: Int
    /// The field that an object lacks, with ``Reason/missing``.
    let field: MessageField?

    /// Makes an error.
    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
        field = nil
    }

    init(missing field: MessageField, at offset: Int) {
        reason = .missing
        self.offset = offset
        self.field = field
    }

    /// Whether the bytes are good JSON and only a value is refused.
    public var isAboutValue: Bool { reason.rawValue >= Reason.duplicateID.rawValue }

    /// One plain sentence without any payload.
    public var description: String { "\(reason.text) at byte \(offset)" }
}

extension JSONError.Reason {
    /// The reason in plain words.
    public var text: String {
        switch self {
        case .controlCharacter: "control character in a string"
        case .invalidEscape: "invalid escape in a string"
        case .invalidNumber: "invalid number"
        case .invalidUTF8: "invalid utf-8 in a string"
        case .trailingBytes: "bytes after the value"
        case .unexpectedByte: "unexpected byte"
        case .unexpectedEnd: "unexpected end"
        case .duplicateKey: "duplicate key in an object"
        case .tooDeep: "nested too deep"
        case .tooManyBytes: "too many bytes"
        case .tooManyKeys: "too many keys in an object"
        case .tooManyValues: "too many values"
        case .duplicateID: "the id is used twice"
        case .empty: "is empty"
        case .expectedArray: "must be a list"
        case .expectedBoolean: "must be true or false"
        case .expectedBox: "must be four finite numbers with a size that is not negative"
        case .expectedInteger: "must be a whole number"
        case .expectedNumber: "must be a number"
        case .expectedObject: "must be an object"
        case .expectedPoint: "must be two finite numbers"
        case .expectedSize: "must be two finite numbers above zero"
        case .expectedString: "must be a string"
        case .invalidFocus: "must hold exactly one of element, point and box"
        case .invalidID: "is not a valid id"
        case .invalidTag: "is not a language tag"
        case .missing: "is missing"
        case .notAboveBase: "must be above base"
        case .numberNotFinite: "the number is too large"
        case .outOfRange: "is out of range"
        case .tooLong: "is too long"
        case .tooMany: "is one entry too many"
        case .unknownName: "is not one of the known values"
        case .unknownType: "the message type is not known"
        case .unwanted: "may not be given together with the other one"
        }
    }
}
