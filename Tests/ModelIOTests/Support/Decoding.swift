// Decoding: runs bodies through the decoder.
// Spec: docs/models.md (tests)

import ModelIO
import TutorCore

/// Runs a body through the decoder, in the given pieces; adjacent texts are joined.
func decode(
    _ pieces: [[UInt8]], end: ChatStreamDecoder.End = .complete, limits: ModelLimits = ModelLimits()
) -> [ModelEvent] {
    var decoder = ChatStreamDecoder(limits: limits)
    var events: [ModelEvent] = []
    for piece in pieces { events += decoder.receive(piece) }
    return joined(events + decoder.finish(end))
}

/// The events with adjacent texts joined.
func joined(_ events: [ModelEvent]) -> [ModelEvent] {
    var result: [ModelEvent] = []
    for event in events {
        if case .text(let text) = event, case .text(let before) = result.last {
            result[result.count - 1] = .text(before + text)
        } else {
            result.append(event)
        }
    }
    return result
}

/// The whole text of some events.
func text(of events: [ModelEvent]) -> String {
    events.map { if case .text(let text) = $0 { text } else { "" } }.joined()
}

/// A request that only its messages matter of.
func request(_ question: String = "why?", lesson: Lesson? = nil) -> ModelRequest {
    ModelRequest(
        messages: [
            ModelMessage(role: .system, text: "rules"), ModelMessage(role: .user, text: question),
        ],
        maximumOutputTokens: 200,
        lesson: lesson
            ?? Lesson(question: question, language: "en", hintLevel: 1, elements: [], relevant: [], focus: nil))
}
