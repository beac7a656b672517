// ScreenError: why a snapshot or a delta was refused.
// Spec: docs/protocol.md §4 (`screen.resync`), §10 (`bad_message`)

/// Why a snapshot or a delta was refused.
///
/// A refused message has changed nothing.
public enum ScreenError: Error, Sendable, Hashable {
    /// The delta does not build on the server's revision: `screen.resync` `gap`.
    case gap(serverRevision: Int64)
    /// The message itself is wrong: `bad_message` at the path.
    case invalid(path: String, reason: String)
    /// The delta would make a screen of too many elements: `screen.resync` `limit`.
    case limit(path: String)
    /// The delta names an element that the server does not have: `screen.resync` `unknown_id`.
    case unknownID(path: String)
}
