// JSONReader+Element: reads the fields of one element.
// Spec: docs/protocol.md §4 (element, `update`)

extension JSONReader {
    /// Reads the object of one element into `element`, of which it changes only what the object has.
    ///
    /// `isUpdate` says that absent and `null` fields are allowed. Tries the quick way; where that does not get
    /// through, the object is read again from its start.
    mutating func read(
        _ element: inout Element, limit: Int, isUpdate: Bool
    ) throws(JSONError) -> ElementReading {
        let start = try valueStart()
        if depth &+ 2 <= limits.depth, limits.keys >= 11 {
            var reading = ElementReading(start: start)
            if try quickRead(&element, &reading, limit: limit) { return reading }
            position = start
            element = .unread
        }
        var reading = ElementReading(start: start)
        try openObject()
        while let name = try nextName() {
            switch name {
            case "id":
                reading.idStart = try valueStart()
                if !isUpdate, try null() { continue }
                element.id = try elementID()
                reading.idHash = IDIndex.hash(element.id)
                reading.seen.formUnion(.id)
            case "type":
                element.kind = try elementKind()
                reading.seen.formUnion(.kind)
            case "content":
                element.content = isUpdate ? try optionalString(limit: limit) ?? "" : try string(limit: limit)
                reading.seen.formUnion(.content)
            case "box":
                element.box = try box()
                reading.seen.formUnion(.box)
            case "placeholder":
                element.placeholder = try optionalString(limit: limit)
                reading.seen.formUnion(.placeholder)
            case "value":
                element.value = try optionalString(limit: limit)
                reading.seen.formUnion(.value)
            case "label":
                element.label = try optionalString(limit: limit)
                reading.seen.formUnion(.label)
            case "state":
                element.states = try null() ? [] : elementStates()
                reading.seen.formUnion(.states)
            case "region":
                element.region = try optionalString(limit: limit)
                reading.seen.formUnion(.region)
            case "line":
                element.line = try elementLine()
                reading.seen.formUnion(.line)
            case "parent":
                element.parent = try null() ? nil : elementID()
                reading.seen.formUnion(.parent)
            default: try skip()
            }
        }
        return reading
    }

    // MARK: The quick way

    /// Reads the object if it has nothing but the keys of an element, each once.
    ///
    /// False when it has something else; position and what was read are then to be thrown away. A fault that is thrown is
    /// the one that the general way would meet first.
    private mutating func quickRead(
        _ element: inout Element, _ reading: inout ElementReading, limit: Int
    ) throws(JSONError) -> Bool {
        var place = position
        guard hasSlack(place), quickByte(place) == UInt8(ascii: "{") else { return false }
        place &+= 1
        while true {
            guard hasSlack(place), quickByte(place) == UInt8(ascii: "\"") else { return false }
            let head = word(at: place &+ 1)
            // The key, its closing quote and the colon are one or two words.
            switch quickByte(place &+ 1) {
            case UInt8(ascii: "i"):
                guard Self.begins(head, with: "id\":"), reading.note(.id) else { return false }
                place &+= 5
                quickBlank(&place)
                reading.idStart = place
                guard let id = quickID(&place, hash: &reading.idHash) else { return false }
                element.id = id
            case UInt8(ascii: "t"):
                guard Self.begins(head, with: "type\":"), reading.note(.kind) else { return false }
                place &+= 7
                quickBlank(&place)
                guard let name = quickName(&place) else { return false }
                element.kind = ElementKind(PackedName(low: name, high: 0))
            case UInt8(ascii: "c"):
                guard Self.begins(head, with: "content\""), quickByte(place &+ 9) == UInt8(ascii: ":"),
                    reading.note(.content)
                else { return false }
                place &+= 10
                guard let content = quickString(&place, limit: limit) else { return false }
                element.content = content
            case UInt8(ascii: "b"):
                guard Self.begins(head, with: "box\":"), reading.note(.box) else { return false }
                place &+= 6
                quickBlank(&place)
                if let box = quickBox(&place) {
                    element.box = box
                } else {
                    position = place
                    element.box = try box()
                    place = position
                }
            case UInt8(ascii: "s"):
                guard Self.begins(head, with: "state\":"), reading.note(.states) else { return false }
                place &+= 8
                quickBlank(&place)
                guard let states = quickStates(&place) else { return false }
                element.states = states
            case UInt8(ascii: "v"):
                guard Self.begins(head, with: "value\":"), reading.note(.value) else { return false }
                place &+= 8
                element.value = try quickOptionalString(&place, limit: limit)
            case UInt8(ascii: "l"):
                if Self.begins(head, with: "label\":") {
                    guard reading.note(.label) else { return false }
                    place &+= 8
                    element.label = try quickOptionalString(&place, limit: limit)
                } else {
                    guard Self.begins(head, with: "line\":"), reading.note(.line) else { return false }
                    position = place &+ 7
                    element.line = try elementLine()
                    place = position
                }
            case UInt8(ascii: "p"):
                if Self.begins(head, with: "parent\":") {
                    guard reading.note(.parent) else { return false }
                    place &+= 9
                    quickBlank(&place)
                    var hash: UInt64 = 0
                    guard let id = quickID(&place, hash: &hash) else { return false }
                    element.parent = id
                } else {
                    guard Self.begins(head, with: "placehol"), Self.begins(word(at: place &+ 9), with: "der\":"),
                        reading.note(.placeholder)
                    else { return false }
                    place &+= 14
                    element.placeholder = try quickOptionalString(&place, limit: limit)
                }
            case UInt8(ascii: "r"):
                guard Self.begins(head, with: "region\":"), reading.note(.region) else { return false }
                place &+= 9
                element.region = try quickOptionalString(&place, limit: limit)
            default: return false
            }
            guard hasSlack(place) else { return false }
            if quickByte(place) == UInt8(ascii: ",") {
                place &+= 1
                quickBlank(&place)
            } else {
                guard quickByte(place) == UInt8(ascii: "}") else { return false }
                position = place &+ 1
                return true
            }
        }
    }

    /// Whether a word begins with the bytes of a literal of at most eight.
    @inline(__always)
    private static func begins(_ word: UInt64, with name: StaticString) -> Bool {
        word & mask(name.utf8CodeUnitCount) == PackedName(stringLiteral: name).low
    }

    @inline(__always)
    private func quickString(_ place: inout Int, limit: Int) -> String? {
        var at = place
        quickBlank(&at)
        guard hasSlack(at), let text = quickText(&at), text.count <= limit else { return nil }
        place = at
        return checkedString(start: text.start, count: text.count, isASCII: text.isASCII)
    }

    /// A text or `null`, by the general way where it must be.
    private mutating func quickOptionalString(_ place: inout Int, limit: Int) throws(JSONError) -> String? {
        if let text = quickString(&place, limit: limit) { return text }
        position = place
        let text = try optionalString(limit: limit)
        place = position
        return text
    }

    /// An id, its bytes looked at eight at a time.
    @inline(__always)
    private func quickID(_ place: inout Int, hash: inout UInt64) -> ElementID? {
        var at = place
        guard hasSlack(at), let text = quickText(&at), text.isASCII,
            let id = elementID(start: text.start, count: text.count, hash: &hash)
        else { return nil }
        place = at
        return id
    }

    /// A list of known or unknown states of at most eight bytes.
    @inline(__always)
    private func quickStates(_ place: inout Int) -> ElementStates? {
        guard hasSlack(place), quickByte(place) == UInt8(ascii: "[") else { return nil }
        var at = place &+ 1
        var states: ElementStates = []
        if quickByte(at) != UInt8(ascii: "]") {
            while true {
                guard hasSlack(at), let name = quickName(&at) else { return nil }
                states.formUnion(ElementStates(PackedName(low: name, high: 0)))
                if quickByte(at) == UInt8(ascii: "]") { break }
                guard quickByte(at) == UInt8(ascii: ",") else { return nil }
                at &+= 1
                quickBlank(&at)
            }
        }
        place = at &+ 1
        return states
    }

    // MARK: Values of an element

    /// What an element is; unknown names are `other`.
    private mutating func elementKind() throws(JSONError) -> ElementKind {
        let text = try text()
        return ElementKind(packed(text))
    }

    /// A list of states; unknown names are ignored.
    private mutating func elementStates() throws(JSONError) -> ElementStates {
        var states: ElementStates = []
        try openArray()
        while try nextElement() {
            let text = try text()
            states.formUnion(ElementStates(packed(text)))
        }
        return states
    }

    private mutating func elementLine() throws(JSONError) -> Int? {
        try null() ? nil : Int(try integer(in: 0...MessageDecoder.largestCount))
    }
}
