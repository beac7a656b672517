// MessageDecoder+Element: reads elements and updates of elements.
// Spec: docs/protocol.md §4 (element, `update`)

/// Elements as a message lists them.
struct ElementList {
    var elements: [Element] = []
    /// The first fault of an id; none of them matters where the server is to give the ids.
    var idFault: JSONError?
}

extension MessageDecoder {
    /// Reads at most `limit` elements with ids that are all different.
    func elements(_ reader: inout JSONReader, limit: Int, mayLackID: Bool) throws(JSONError) -> ElementList {
        var list = ElementList()
        var index = IDIndex()
        try reader.openArray()
        // Most elements take about this many bytes; the list then need not grow.
        list.elements.reserveCapacity(min(limit, (reader.end - reader.position) / 128 + 1))
        while try reader.nextElement() {
            guard list.elements.count < limit else { throw JSONError(.tooMany, at: reader.position) }
            var idFault: JSONError?
            var idStart = 0
            let element = try element(&reader, idStart: &idStart, idFault: &idFault)
            if idFault == nil, !index.insert(element.id, at: list.elements.count, in: list.elements) {
                idFault = JSONError(.duplicateID, at: idStart)
            }
            if let idFault, list.idFault == nil {
                guard mayLackID else { throw idFault }
                list.idFault = idFault
            }
            list.elements.append(element)
        }
        return list
    }

    private func element(
        _ reader: inout JSONReader, idStart: inout Int, idFault: inout JSONError?
    ) throws(JSONError) -> Element {
        let start = try reader.valueStart()
        var id: ElementID?
        var kind: ElementKind?
        var content: String?
        var box: Box?
        var placeholder: String?
        var value: String?
        var label: String?
        var states: ElementStates = []
        var region: String?
        var line: Int?
        var parent: ElementID?
        let limit = limits.contentBytes
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "id":
                idStart = try reader.valueStart()
                if try reader.null() {
                    idFault = JSONError(.expectedString, at: idStart)
                } else {
                    id = try reader.elementID()
                }
            case "type": kind = try reader.elementKind()
            case "content": content = try reader.string(limit: limit)
            case "box": box = try reader.box()
            case "placeholder": placeholder = try reader.optionalString(limit: limit)
            case "value": value = try reader.optionalString(limit: limit)
            case "label": label = try reader.optionalString(limit: limit)
            case "state": if try !reader.null() { states = try reader.elementStates() }
            case "region": region = try reader.optionalString(limit: limit)
            case "line":
                line = try reader.null() ? nil : Int(try reader.integer(in: 0...Self.largestCount))
            case "parent": parent = try reader.null() ? nil : reader.elementID()
            default: try reader.skip()
            }
        }
        guard let kind else { throw JSONError(missing: .type, at: start) }
        guard let content else { throw JSONError(missing: .content, at: start) }
        guard let box else { throw JSONError(missing: .box, at: start) }
        if id == nil, idFault == nil { idFault = JSONError(missing: .id, at: start) }
        return Element(
            id: id ?? ElementID(position: 0), kind: kind, content: content, box: box, placeholder: placeholder,
            value: value, label: label, states: states, region: region, line: line, parent: parent)
    }

    func update(_ reader: inout JSONReader) throws(JSONError) -> ElementUpdate {
        let start = try reader.valueStart()
        var update = ElementUpdate(id: ElementID(position: 0))
        var hasID = false
        let limit = limits.contentBytes
        try reader.openObject()
        while let name = try reader.nextName() {
            switch name {
            case "id":
                update.id = try reader.elementID()
                hasID = true
            case "type": update.kind = try reader.elementKind()
            case "content": update.content = try reader.optionalString(limit: limit) ?? ""
            case "box": update.box = try reader.box()
            case "placeholder": update.placeholder = try reader.change(limit: limit)
            case "value": update.value = try reader.change(limit: limit)
            case "label": update.label = try reader.change(limit: limit)
            case "state": update.states = try reader.null() ? [] : reader.elementStates()
            case "region": update.region = try reader.change(limit: limit)
            case "line":
                update.line =
                    try reader.null() ? .remove : .set(Int(reader.integer(in: 0...Self.largestCount)))
            case "parent": update.parent = try reader.null() ? .remove : .set(reader.elementID())
            default: try reader.skip()
            }
        }
        guard hasID else { throw JSONError(missing: .id, at: start) }
        return update
    }
}

extension JSONReader {
    /// A text that an element may lack: `null` removes it.
    fileprivate mutating func change(limit: Int) throws(JSONError) -> ElementUpdate.Change<String> {
        try null() ? .remove : .set(string(limit: limit))
    }

    /// What an element is; unknown names are `other`.
    fileprivate mutating func elementKind() throws(JSONError) -> ElementKind {
        let text = try text()
        return ElementKind(packed(text))
    }

    /// A list of states; unknown names are ignored.
    fileprivate mutating func elementStates() throws(JSONError) -> ElementStates {
        var states: ElementStates = []
        try openArray()
        while try nextElement() {
            let text = try text()
            states.formUnion(ElementStates(packed(text)))
        }
        return states
    }
}

extension ElementKind {
    /// Without making a String: an element's kind is read for every element of every screen.
    fileprivate init(_ name: PackedName) {
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
    fileprivate init(_ name: PackedName) {
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
