// ElementStates: the set of states an element may be in.
// Spec: docs/protocol.md §4 (`state`)

/// The states of one element, as a set.
///
/// Names that this list does not have are ignored on input.
public struct ElementStates: OptionSet, Sendable, Hashable {
    /// One bit a state.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Cannot be operated.
    public static let disabled = Self(rawValue: 1 << 0)
    /// Ticked.
    public static let checked = Self(rawValue: 1 << 1)
    /// Has the keyboard focus.
    public static let focused = Self(rawValue: 1 << 2)
    /// Chosen among its siblings.
    public static let selected = Self(rawValue: 1 << 3)
    /// Opened out.
    public static let expanded = Self(rawValue: 1 << 4)
    /// Holds a value that the page refuses.
    public static let invalid = Self(rawValue: 1 << 5)
    /// Secret: its content and value never leave the server.
    public static let secure = Self(rawValue: 1 << 6)
    /// Not visible: never highlighted.
    public static let hidden = Self(rawValue: 1 << 7)

    /// Wire names in bit order.
    public static let names: [(name: String, state: ElementStates)] = [
        ("disabled", .disabled), ("checked", .checked), ("focused", .focused), ("selected", .selected),
        ("expanded", .expanded), ("invalid", .invalid), ("secure", .secure), ("hidden", .hidden),
    ]
}
