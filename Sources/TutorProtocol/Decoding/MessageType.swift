// MessageType: the names of everything that a client may send.
// Spec: docs/protocol.md §3-§9

/// The names of everything that a client may send, those that this server does not offer included.
enum MessageType: String, Sendable, Hashable, CaseIterable {
    case ask
    case authRefresh = "auth.refresh"
    case cancel
    case confirm
    case feedback
    case forget
    case hand
    case hello
    case highlightMissed = "highlight.missed"
    case imageBegin = "image.begin"
    case note
    case ping
    case policy
    case screenDelta = "screen.delta"
    case screenSnapshot = "screen.snapshot"
    case skillResult = "skill.result"
    case steer
    case stepResult = "step.result"
    case unwatch
    case watch
}
