// JSONReader+Fields: the kinds of value that the protocol's fields have.
// Spec: docs/protocol.md §2-§5

extension JSONReader {
    /// Largest number that every JSON implementation keeps exactly, 2^53 - 1.
    static let largestInteger: Int64 = 9_007_199_254_740_991

    /// Offset of the value that comes next.
    @inline(__always)
    mutating func valueStart() throws(JSONError) -> Int {
        _ = try nextByte()
        return position
    }

    // MARK: Texts

    /// A text of at most `limit` bytes of UTF-8.
    mutating func string(limit: Int) throws(JSONError) -> String {
        let start = try valueStart()
        let text = try text()
        guard text.count <= limit || (text.hasEscapes && byteCount(text) <= limit) else {
            throw JSONError(.tooLong, at: start)
        }
        return string(text)
    }

    /// A text of at most `limit` bytes, or nil for `null`.
    mutating func optionalString(limit: Int) throws(JSONError) -> String? {
        try null() ? nil : string(limit: limit)
    }

    /// A text that is cut to whole characters of at most `limit` bytes; nil for `null`.
    mutating func cutString(limit: Int) throws(JSONError) -> String? {
        if try null() { return nil }
        let text = string(try text())
        if text.utf8.count <= limit { return text }
        var kept = ""
        var count = 0
        for character in text {
            count += character.utf8.count
            if count > limit { break }
            kept.append(character)
        }
        return kept
    }

    /// One of a closed list of names.
    mutating func name<Name: RawRepresentable>(
        of type: Name.Type
    ) throws(JSONError) -> Name where Name.RawValue == String {
        let start = try valueStart()
        let text = try text()
        guard text.count <= 64, let name = Name(rawValue: string(text)) else {
            throw JSONError(.unknownName, at: start)
        }
        return name
    }

    /// A language tag: 1 to 64 of `A-Z a-z 0-9 - _`.
    ///
    /// Looser than BCP 47, since systems write `zh_CN`.
    mutating func languageTag() throws(JSONError) -> String {
        let start = try valueStart()
        let text = try text()
        let tag = text.count <= 64 ? string(text) : ""
        let isTag = tag.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isTag, !tag.isEmpty else { throw JSONError(.invalidTag, at: start) }
        return tag
    }

    // MARK: Ids

    /// An element's id.
    mutating func elementID() throws(JSONError) -> ElementID {
        let start = try valueStart()
        let text = try text()
        guard let id = elementID(text) else { throw JSONError(.invalidID, at: start) }
        return id
    }

    /// The text as an element's id, if it is one.
    func elementID(_ text: JSONText) -> ElementID? {
        guard !text.hasEscapes else { return ElementID(string(text)) }
        var hash: UInt64 = 0
        return elementID(start: text.start, count: text.count, hash: &hash)
    }

    /// The bytes as an element's id, if they are one, and its hash.
    @inline(__always)
    func elementID(start: Int, count: Int, hash: inout UInt64) -> ElementID? {
        guard count > 0, count <= ElementID.maximumByteCount else { return nil }
        guard start &+ count &+ 8 <= end else {
            let id = unsafe ElementID(UnsafeBufferPointer(start: base + start, count: count))
            if let id { hash = IDIndex.hash(id) }
            return id
        }
        var state = IDIndex.seed
        var done = 0
        while done < count {
            let kept = Self.mask(count &- done)
            let word = word(at: start &+ done) & kept
            guard ElementID.allows(word | (0x6161_6161_6161_6161 & ~kept)) else { return nil }
            state = IDIndex.mix(state, word)
            done &+= 8
        }
        hash = state
        return ElementID(checked: checkedString(start: start, count: count, isASCII: true))
    }

    /// A message's id.
    mutating func messageID(limit: Int) throws(JSONError) -> MessageID {
        let start = try valueStart()
        let text = try text()
        // An escape takes at most six bytes for one.
        guard text.count <= 6 * limit, let id = MessageID(string(text)), id.rawValue.utf8.count <= limit else {
            throw JSONError(.invalidID, at: start)
        }
        return id
    }

    /// A turn's id.
    ///
    /// Turn ids are opaque to clients: a text that no turn can have is the id of no turn.
    mutating func turnID() throws(JSONError) -> TurnID {
        let start = try valueStart()
        let text = try text()
        guard text.count > 0, text.count <= ElementID.maximumByteCount else { throw JSONError(.invalidID, at: start) }
        return TurnID(wire: string(text)) ?? .none
    }

    // MARK: Numbers

    /// A whole number within `range`.
    mutating func integer(in range: ClosedRange<Int64>) throws(JSONError) -> Int64 {
        let start = try valueStart()
        let value = try integer()
        guard range.contains(value) else { throw JSONError(.outOfRange, at: start) }
        return value
    }

    /// A screen's revision or an event's number, 0 to 2^53 - 1.
    mutating func revision() throws(JSONError) -> Int64 { try integer(in: 0...Self.largestInteger) }

    // MARK: Geometry

    /// A box: exactly four finite numbers whose last two are not negative.
    ///
    /// A fault is the whole box's.
    mutating func box() throws(JSONError) -> Box {
        let start = try valueStart()
        let numbers = try numbers(4, or: .expectedBox)
        guard let box = Box(x: numbers.0, y: numbers.1, width: numbers.2, height: numbers.3) else {
            throw JSONError(.expectedBox, at: start)
        }
        return box
    }

    /// A point or a shift: exactly two finite numbers.
    mutating func point() throws(JSONError) -> Point {
        let start = try valueStart()
        let numbers = try numbers(2, or: .expectedPoint)
        guard let point = Point(x: numbers.0, y: numbers.1) else { throw JSONError(.expectedPoint, at: start) }
        return point
    }

    /// A screen's size: exactly two finite numbers above zero.
    mutating func size() throws(JSONError) -> ScreenSize {
        let start = try valueStart()
        let numbers = try numbers(2, or: .expectedSize)
        guard let size = ScreenSize(width: numbers.0, height: numbers.1) else {
            throw JSONError(.expectedSize, at: start)
        }
        return size
    }

    /// Where the student's attention is: an object with exactly one of `box`, `element` and `point`.
    mutating func focus() throws(JSONError) -> Focus {
        let start = try valueStart()
        try openObject()
        var focus: Focus?
        var count = 0
        while let name = try nextName() {
            switch name {
            case "box":
                if try !null() {
                    focus = .box(try box())
                    count += 1
                }
            case "element":
                if try !null() {
                    focus = .element(try elementID())
                    count += 1
                }
            case "point":
                if try !null() {
                    focus = .point(try point())
                    count += 1
                }
            default: try skip()
            }
        }
        guard let focus, count == 1 else { throw JSONError(.invalidFocus, at: start) }
        return focus
    }

    /// Up to four numbers in brackets; faults that are not of the grammar are put at the bracket.
    @inline(__always)
    private mutating func numbers(
        _ count: Int, or reason: JSONError.Reason
    ) throws(JSONError) -> (Double, Double, Double, Double) {
        let start = position
        guard try nextByte() == UInt8(ascii: "[") else {
            _ = try peek()
            throw JSONError(reason, at: start)
        }
        try openArray()
        var numbers = (0.0, 0.0, 0.0, 0.0)
        numbers.0 = try element(of: start, reason)
        numbers.1 = try element(of: start, reason)
        if count == 4 {
            numbers.2 = try element(of: start, reason)
            numbers.3 = try element(of: start, reason)
        }
        guard try !nextElement() else { throw JSONError(reason, at: start) }
        return numbers
    }

    @inline(__always)
    private mutating func element(of start: Int, _ reason: JSONError.Reason) throws(JSONError) -> Double {
        guard try nextElement(), try peek() == .number else { throw JSONError(reason, at: start) }
        let number = try scanNumber()
        guard let value = finite(number) else { throw JSONError(reason, at: start) }
        return value
    }
}
