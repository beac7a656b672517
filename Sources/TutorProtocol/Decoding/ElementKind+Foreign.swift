// ElementKind+Foreign: what the element types of other vocabularies are in ours.
// Spec: docs/protocol.md §4 (`type`)

extension ElementKind {
    /// Reads a type of another vocabulary: HTML's names, ARIA's roles, those of mobile screen data sets.
    ///
    /// Names of our own list mean themselves; containers and unknown names are ``other``.
    public init(foreign type: String) {
        switch type {
        case "a": self = .link
        case "cell", "columnheader", "dd", "dt", "gridcell", "i", "label", "li", "option", "p", "paragraph",
            "rowheader",
            "span", "t", "td", "th", "tspan":
            self = .text
        case "check_box": self = .checkbox
        case "circle", "figure", "icon", "img", "map", "pictogram", "polygon", "rect", "svg": self = .image
        case "combobox", "dropdown", "listbox", "spinner": self = .select
        case "edit_text", "password", "searchbox", "text_field", "text_input", "textarea", "textbox": self = .input
        case "h1", "h2", "h3", "h4", "h5", "h6", "title": self = .heading
        case "modal": self = .dialog
        case "pre": self = .code
        case "radio_button": self = .radio
        case "toggle": self = .switch
        case "div":
            // Mostly text where it has any: a reader that keeps only leaves drops the rest.
            self = .text
        default: self = ElementKind(wire: type)
        }
    }
}
