// ChatChunk: what one chunk of a chat completion says, wherever a vendor puts it.
// Spec: docs/models.md (rules of the adapter)

import TutorCore
import TutorProtocol

/// What one chunk of a chat completion says, wherever a vendor puts it.
///
/// A whole completion reads the same.
struct ChatChunk: Sendable, Hashable {
    /// Text of the answer; empty where there is none.
    var text = ""
    /// Whether it holds thoughts.
    var hasReasoning = false
    /// Why the answer ends, if it does.
    var reason: Reason?
    /// Tokens, if it counts them.
    var usage: ModelUsage?
    /// The error that it reports instead of an answer.
    var error: ModelError?
    /// Whether it holds a choice at all.
    var hasChoice = false

    /// Why an answer ends.
    enum Reason: Sendable, Hashable {
        case failed(ModelError)
        case finished(FinishReason)
    }

    /// A chunk that says nothing.
    init() {}

    /// Reads a chunk.
    init(_ value: JSONValue) {
        if let found = Self.reported(value) { error = found }
        usage = value["usage"].flatMap(Self.usage) ?? value["x_groq"]?["usage"].flatMap(Self.usage)
        // Only the first choice was asked for; another one would be mixed into its text.
        let choices = value["choices"]?.array ?? []
        guard let choice = choices.first(where: { ($0["index"]?.int ?? 0) == 0 }) else { return }
        hasChoice = true
        if let found = Self.reported(choice) { error = error ?? found }
        usage = usage ?? choice["usage"].flatMap(Self.usage)
        if let delta = choice["delta"] ?? choice["message"] {
            take(delta)
        } else {
            text = choice["text"]?.string ?? ""
        }
        if let name = choice["finish_reason"]?.string, !name.isEmpty { reason = Self.reason(named: name) }
    }

    private mutating func take(_ delta: JSONValue) {
        // vLLM renamed the field; OpenRouter sends both and a list.
        for name in ["reasoning_content", "reasoning", "thinking"] where delta[name]?.string?.isEmpty == false {
            hasReasoning = true
        }
        if delta["reasoning_details"]?.array?.isEmpty == false { hasReasoning = true }
        guard let content = delta["content"] else {
            text = delta["refusal"]?.string ?? ""
            return
        }
        if let plain = content.string {
            text = plain
        } else {
            for part in content.array ?? [] {
                if part["type"]?.string == "thinking" {
                    hasReasoning = true
                } else {
                    text += part["text"]?.string ?? ""
                }
            }
        }
        if text.isEmpty { text = delta["refusal"]?.string ?? "" }
    }

    /// An error within an object; nil also for the empty ones that some servers put into every chunk.
    private static func reported(_ value: JSONValue) -> ModelError? {
        if value["object"]?.string == "error" { return ChatErrorText.error(in: value) }
        guard let error = value["error"], !error.isNull, error != .string(""), error != .object([:]) else { return nil }
        return ChatErrorText.error(in: error)
    }

    private static func usage(_ value: JSONValue) -> ModelUsage? {
        let input = value["prompt_tokens"]?.int ?? value["input_tokens"]?.int
        let output = value["completion_tokens"]?.int ?? value["output_tokens"]?.int
        guard input != nil || output != nil else { return nil }
        let cached =
            value["prompt_tokens_details"]?["cached_tokens"]?.int
            ?? value["prompt_cache_hit_tokens"]?.int ?? value["cached_tokens"]?.int
        return ModelUsage(input: max(0, input ?? 0), cached: max(0, cached ?? 0), output: max(0, output ?? 0))
    }

    private static func reason(named name: String) -> Reason { reasons[name.lowercased()] ?? .finished(.stop) }

    /// Vendors' words for the reason of an end; another word means that the model stopped.
    private static let reasons: [String: Reason] = [
        "content_filter": .finished(.contentFilter), "safety": .finished(.contentFilter),
        "length": .finished(.length), "max_tokens": .finished(.length),
        "function_call": .finished(.toolCalls), "tool_calls": .finished(.toolCalls),
        "tool_use": .finished(.toolCalls),
        "error": .failed(.invalid(detail: "ended by an error")),
        "insufficient_system_resource": .failed(.unavailable(detail: "endpoint out of resources")),
    ]
}
