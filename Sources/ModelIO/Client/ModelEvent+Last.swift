// ModelEvent: whether an event ends its call.
// Spec: docs/models.md

import TutorCore

extension ModelEvent {
    /// Whether nothing follows it.
    var isLast: Bool {
        switch self {
        case .failed, .finished: true
        case .reasoning, .text, .usage: false
        }
    }
}
