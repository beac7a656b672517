// RowEntry: one element as it stands in a row.
// Spec: docs/screen.md (rows)

import TutorProtocol

/// One element as it stands in a row: alias, kind, flags, text.
///
/// Never a box, never a client's id.
struct RowEntry {
    /// The kind's letter; empty for what is only read.
    static func mark(of kind: ElementKind) -> String {
        switch kind {
        case .button: "b"
        case .checkbox: "c"
        case .dialog: "d"
        case .alert, .error: "!"
        case .heading: "#"
        case .image: "p"
        case .input: "i"
        case .link: "l"
        case .radio: "r"
        case .select: "s"
        case .switch: "w"
        case .tab: "n"
        case .code, .math, .other, .text: ""
        }
    }

    /// Kind and flags, as they follow the alias.
    static func flags(of element: Element, isChanged: Bool, isFocused: Bool) -> String {
        var flags = mark(of: element.kind)
        if element.states.contains(.invalid), flags != "!" { flags += "!" }
        if isChanged { flags += "*" }
        if element.states.contains(.disabled) { flags += "-" }
        if !element.states.isDisjoint(with: [.checked, .selected]) { flags += "+" }
        if isFocused { flags += ">" }
        return flags
    }

    /// What the element says, cleaned: its text, `=` and what it holds, `_` and the hint of an empty field.
    static func text(of element: Element, maximumLength: Int = RowText.maximumLength) -> String {
        var parts: [String] = []
        func add(_ mark: String, _ text: String?) {
            guard let text else { return }
            let clean = RowText.clean(text, maximumLength: maximumLength)
            if !clean.isEmpty { parts.append(mark + clean) }
        }
        if let label = element.label, label != element.content { add("", label) }
        // What a field shows is what it holds, unless it says both.
        let holds = element.kind.isField ? element.value ?? element.content : element.value
        if !element.kind.isField || element.value != nil, element.content != holds { add("", element.content) }
        if let holds, !holds.isEmpty { add("=", holds) }
        if (holds ?? "").isEmpty { add("_", element.placeholder) }
        return parts.joined(separator: " ")
    }
}

extension ElementKind {
    /// Whether its content is what the student put in.
    fileprivate var isField: Bool { self == .input }
}
