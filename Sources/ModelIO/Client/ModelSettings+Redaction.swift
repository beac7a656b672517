// ModelSettings: taking its secrets out of what an endpoint says.
// Spec: docs/models.md (the key)

import TutorCore

extension ModelSettings {
    /// The event with the key and the headers' values taken out of its error text: endpoints quote what they were sent.
    func redacted(_ event: ModelEvent) -> ModelEvent {
        switch event {
        case .failed(.invalid(let detail)): .failed(.invalid(detail: redacted(detail)))
        case .failed(.unavailable(let detail)): .failed(.unavailable(detail: redacted(detail)))
        case .failed, .finished, .reasoning, .text, .usage: event
        }
    }

    private func redacted(_ text: String) -> String {
        headers.map(\.value).reduce(key?.redacted(in: text) ?? text) { $1.redacted(in: $0) }
    }
}
