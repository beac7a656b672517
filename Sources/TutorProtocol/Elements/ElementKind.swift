// ElementKind: what an element is, by the protocol's closed list.
// Spec: docs/protocol.md §4 (`type`)

/// What an element is.
///
/// The raw value is the wire's `type`; a type this list does not have is read as ``other``.
public enum ElementKind: String, Sendable, Hashable, CaseIterable {
    case alert
    case button
    case checkbox
    case code
    case dialog
    case error
    case heading
    case image
    case input
    case link
    case math
    case other
    case radio
    case select
    case `switch`
    case tab
    case text

    /// Reads a wire `type`; unknown names become ``other``.
    public init(wire: String) {
        self = Self(rawValue: wire) ?? .other
    }

    /// Whether a person fills it in, so that a change of its content is the student's work and not a new element.
    public var isInput: Bool {
        switch self {
        case .checkbox, .input, .radio, .select, .switch: true
        case .alert, .button, .code, .dialog, .error, .heading, .image, .link, .math, .other, .tab, .text: false
        }
    }
}
