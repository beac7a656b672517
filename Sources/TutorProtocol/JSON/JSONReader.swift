// JSONReader: reads JSON in one pass over bytes, a value at a time as its caller asks.
// Spec: RFC 8259; docs/protocol.md §11 (limits)

/// Reads JSON in one pass over bytes, a value at a time as its caller asks.
///
/// Goal: full checking (grammar, UTF-8, duplicate keys, depth, finite numbers) at the speed of memory that is parsed
/// anyway, and no String that nobody keeps.
/// Plan: strings are scanned eight bytes at a time for the four things that matter (quote, backslash, control,
/// non-ASCII). Keys are compared as machine words. Texts come out as places in the input.
/// Cost: O(bytes); objects of more than 32 keys sort their keys. Memory: 16 bytes for each key of the objects that are
/// open, nothing else.
///
/// A reader exists only within ``read(_:limits:_:)``. The order of calls is the caller's duty: after ``nextKey()`` or
/// ``nextElement()`` exactly one value is read or skipped.
@safe
public struct JSONReader: ~Copyable {
    /// What kind of value comes next.
    public enum Kind: Sendable, Hashable {
        case array
        case boolean
        case null
        case number
        case object
        case string
    }

    let base: UnsafePointer<UInt8>
    let end: Int
    /// The next byte to read, from 0.
    public internal(set) var position = 0
    /// Whether numbers beyond the range of a Double are refused; off only where an earlier pass has said so.
    var refusesInfinity = true
    let limits: JSONLimits
    private(set) var depth = 0
    /// Whether the innermost container was just opened.
    private var isFirst = false
    private var keys: KeyStack

    /// Reads `bytes` within `limits`.
    ///
    /// The body must end with ``finish()`` to refuse bytes after the value.
    public static func read<Success, Failure: Error>(
        _ bytes: Span<UInt8>, limits: JSONLimits, _ body: (inout JSONReader) throws(Failure) -> Success
    ) throws(Failure) -> Success {
        try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(Failure) in
            guard let base = buffer.baseAddress else {
                return try unsafe withUnsafePointer(to: 0 as UInt8) { (nothing) throws(Failure) in
                    var reader = unsafe JSONReader(base: nothing, end: 0, limits: limits)
                    return try body(&reader)
                }
            }
            var reader = unsafe JSONReader(base: base, end: buffer.count, limits: limits)
            return try body(&reader)
        }
    }

    private init(base: UnsafePointer<UInt8>, end: Int, limits: JSONLimits) {
        unsafe self.base = base
        self.end = end
        self.limits = limits
        keys = unsafe KeyStack(base: base, limit: limits.keys)
    }

    /// Stops looking at the number and the repetition of keys; for a second pass over bytes that were refused.
    mutating func ignoreKeyRules() { keys.isChecking = false }

    // MARK: Values

    /// What comes next; leaves the position at its first byte.
    public mutating func peek() throws(JSONError) -> Kind {
        switch try nextByte() {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "f"), UInt8(ascii: "t"): return .boolean
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "{"): return .object
        default: throw JSONError(.unexpectedByte, at: position)
        }
    }

    /// Reads `true` or `false`.
    public mutating func boolean() throws(JSONError) -> Bool {
        guard try peek() == .boolean else { throw JSONError(.expectedBoolean, at: position) }
        if unsafe base[position] == UInt8(ascii: "t") {
            try literal("true")
            return true
        }
        try literal("false")
        return false
    }

    /// Reads `null` if it comes next, and says whether it did: the absence of an optional field.
    @inline(__always)
    public mutating func null() throws(JSONError) -> Bool {
        guard try nextByte() == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    /// Reads a text, as a place in the input.
    public mutating func text() throws(JSONError) -> JSONText {
        guard try nextByte() == UInt8(ascii: "\"") else {
            _ = try peek()
            throw JSONError(.expectedString, at: position)
        }
        position += 1
        return try scanText()
    }

    /// Reads a number.
    public mutating func number() throws(JSONError) -> Double {
        guard try peek() == .number else { throw JSONError(.expectedNumber, at: position) }
        return try double(scanNumber())
    }

    /// Reads a whole number of at most 2^53 - 1 either side of zero, in any spelling (`8`, `8.0`, `8e0`).
    public mutating func integer() throws(JSONError) -> Int64 {
        guard try peek() == .number else { throw JSONError(.expectedInteger, at: position) }
        let start = position
        let number = try scanNumber()
        guard let value = number.integer else {
            _ = try double(number)
            throw JSONError(.expectedInteger, at: start)
        }
        return value
    }

    /// Reads any value and forgets it.
    ///
    /// Everything is checked all the same.
    public mutating func skip() throws(JSONError) {
        switch try peek() {
        case .string:
            position += 1
            _ = try scanText()
        case .number:
            let number = try scanNumber()
            if !number.isPlain { _ = try double(number) }
        case .boolean:
            _ = try boolean()
        case .null:
            _ = try null()
        case .object:
            try openObject()
            while try nextKey() != nil { try skip() }
        case .array:
            try openArray()
            while try nextElement() { try skip() }
        }
    }

    // MARK: Containers

    /// Enters an object.
    public mutating func openObject() throws(JSONError) {
        guard try nextByte() == UInt8(ascii: "{") else {
            _ = try peek()
            throw JSONError(.expectedObject, at: position)
        }
        try open()
        keys.openObject()
    }

    /// Reads the next key of the innermost object, with its colon; nil when the object has ended.
    public mutating func nextKey() throws(JSONError) -> JSONText? {
        try nextName() == nil ? nil : keys.last
    }

    /// Reads the next key as a packed name; nil when the object has ended.
    mutating func nextName() throws(JSONError) -> PackedName? {
        var byte = try nextByte()
        if byte == UInt8(ascii: "}") {
            try keys.closeObject()
            close()
            return nil
        }
        if isFirst {
            isFirst = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
            byte = try nextByte()
        }
        guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: position) }
        position &+= 1
        let (key, name) = try scanName()
        try keys.append(key, name: name)
        guard try nextByte() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: position) }
        position &+= 1
        return name
    }

    /// Enters an array.
    public mutating func openArray() throws(JSONError) {
        guard try nextByte() == UInt8(ascii: "[") else {
            _ = try peek()
            throw JSONError(.expectedArray, at: position)
        }
        try open()
    }

    /// Goes to the next element of the innermost array; false when the array has ended.
    public mutating func nextElement() throws(JSONError) -> Bool {
        let byte = try nextByte()
        if byte == UInt8(ascii: "]") {
            close()
            return false
        }
        if isFirst {
            isFirst = false
        } else {
            guard byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
            // A bracket after a comma is no value.
            _ = try peek()
        }
        return true
    }

    /// Checks that nothing but white space is left.
    public mutating func finish() throws(JSONError) {
        skipSpace()
        guard position == end else { throw JSONError(.trailingBytes, at: position) }
    }

    // MARK: Parts

    /// The next byte that is not white space; leaves the position at it.
    @inline(__always)
    mutating func nextByte() throws(JSONError) -> UInt8 {
        if position < end {
            let byte = unsafe base[position]
            if byte > 0x20 { return byte }
        }
        skipSpace()
        guard position < end else { throw JSONError(.unexpectedEnd, at: end) }
        return unsafe base[position]
    }

    private mutating func skipSpace() {
        while position < end {
            switch unsafe base[position] {
            case 0x09, 0x0A, 0x0D, 0x20: position += 1
            default: return
            }
        }
    }

    private mutating func open() throws(JSONError) {
        guard depth < limits.depth else { throw JSONError(.tooDeep, at: position) }
        depth += 1
        position += 1
        isFirst = true
    }

    private mutating func close() {
        depth -= 1
        position += 1
        isFirst = false
    }

    private mutating func literal(_ text: StaticString) throws(JSONError) {
        for index in 0..<text.utf8CodeUnitCount {
            guard position < end else { throw JSONError(.unexpectedEnd, at: end) }
            guard unsafe base[position] == text.utf8Start[index] else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
        }
    }
}
