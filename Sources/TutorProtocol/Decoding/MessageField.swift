// MessageField: the fields that a message may be refused for lacking.
// Spec: docs/protocol.md §3-§5

/// The fields that a message may be refused for lacking; the raw value is the name on the wire.
enum MessageField: String, Sendable, Hashable, CaseIterable {
    case base
    case box
    case by
    case content
    case element
    case elements
    case epoch
    case id
    case ids
    case key
    case ok
    case region
    case revision
    case role
    case seq
    case session
    case step
    case text
    case token
    case turn
    case type
    case value
}
