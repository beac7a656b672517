// MessageDecoder+Element: reads elements and updates of elements.
// Spec: docs/protocol.md §4 (element, `update`)

/// Elements as a message lists them.
struct ElementList {
    var elements: [Element] = []
    /// The first fault of an id; none of them matters where the server is to give the ids.
    var idFault: JSONError?
}

extension MessageDecoder {
    /// Bytes of `{"type":"","content":"","box":[0,0,1,1]},`, the shortest that an element can be.
    private static let shortestElementBytes = 41

    /// Reads at most `limit` elements with ids that are all different.
    func elements(_ reader: inout JSONReader, limit: Int, mayLackID: Bool) throws(JSONError) -> ElementList {
        var list = ElementList()
        var index = IDIndex()
        try reader.openArray()
        // Not grown later: two lists at once would be the most memory that a message can take.
        list.elements.reserveCapacity(min(limit, (reader.end - reader.position) / Self.shortestElementBytes + 1))
        while try reader.nextElement() {
            let position = list.elements.count
            guard position < limit else { throw JSONError(.tooMany, at: reader.position) }
            // Read in its place, so that its texts are not copied.
            list.elements.append(.unread)
            let reading = try reader.read(&list.elements[position], limit: limits.contentBytes, isUpdate: false)
            guard reading.seen.contains(.kind) else { throw JSONError(missing: .type, at: reading.start) }
            guard reading.seen.contains(.content) else { throw JSONError(missing: .content, at: reading.start) }
            guard reading.seen.contains(.box) else { throw JSONError(missing: .box, at: reading.start) }
            if reading.seen.contains(.id), index.insert(at: position, hash: reading.idHash, in: list.elements) {
                continue
            }
            let fault =
                reading.seen.contains(.id)
                ? JSONError(.duplicateID, at: reading.idStart)
                : reading.idStart > 0
                    ? JSONError(.expectedString, at: reading.idStart) : JSONError(missing: .id, at: reading.start)
            guard mayLackID else { throw fault }
            if list.idFault == nil { list.idFault = fault }
        }
        return list
    }

    /// Reads one update, by way of an element that is used again: of its values only those count whose keys were seen.
    func update(_ reader: inout JSONReader, _ element: inout Element) throws(JSONError) -> ElementUpdate {
        let reading = try reader.read(&element, limit: limits.contentBytes, isUpdate: true)
        let seen = reading.seen
        guard seen.contains(.id) else { throw JSONError(missing: .id, at: reading.start) }
        return ElementUpdate(
            id: element.id, kind: seen.contains(.kind) ? element.kind : nil,
            content: seen.contains(.content) ? element.content : nil,
            box: seen.contains(.box) ? element.box : nil,
            placeholder: change(.placeholder, seen, element.placeholder),
            value: change(.value, seen, element.value), label: change(.label, seen, element.label),
            states: seen.contains(.states) ? element.states : nil, region: change(.region, seen, element.region),
            line: change(.line, seen, element.line), parent: change(.parent, seen, element.parent))
    }

    /// A key that was there without a value removes it.
    @inline(__always)
    private func change<Value>(
        _ key: ElementReading.Keys, _ seen: ElementReading.Keys, _ value: Value?
    ) -> ElementUpdate.Change<Value> {
        guard seen.contains(key) else { return .keep }
        return value.map { .set($0) } ?? .remove
    }
}

extension ElementKind {
    /// Without making a String: an element's kind is read for every element of every screen.
    init(_ name: PackedName) {
        switch name {
        case "alert": self = .alert
        case "button": self = .button
        case "checkbox": self = .checkbox
        case "code": self = .code
        case "dialog": self = .dialog
        case "error": self = .error
        case "heading": self = .heading
        case "image": self = .image
        case "input": self = .input
        case "link": self = .link
        case "math": self = .math
        case "radio": self = .radio
        case "select": self = .select
        case "switch": self = .switch
        case "tab": self = .tab
        case "text": self = .text
        default: self = .other
        }
    }
}

extension ElementStates {
    init(_ name: PackedName) {
        switch name {
        case "disabled": self = .disabled
        case "checked": self = .checked
        case "focused": self = .focused
        case "selected": self = .selected
        case "expanded": self = .expanded
        case "invalid": self = .invalid
        case "secure": self = .secure
        case "hidden": self = .hidden
        default: self = []
        }
    }
}
