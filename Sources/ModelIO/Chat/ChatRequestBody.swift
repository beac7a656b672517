// ChatRequestBody: the JSON that asks for a streamed chat completion.
// Spec: docs/models.md (rules of the adapter)

package import TutorCore
import TutorProtocol

/// The JSON that asks for a streamed chat completion.
///
/// The messages stand first and in order, so that equal beginnings of prompts are equal bytes for the endpoint's cache.
package struct ChatRequestBody: Sendable, Hashable {
    /// What is asked.
    package var request: ModelRequest
    /// The model's name at the endpoint.
    package var model: String
    /// The optional fields to use.
    package var shape: ChatRequestShape

    /// Makes a body.
    package init(request: ModelRequest, model: String, shape: ChatRequestShape) {
        self.request = request
        self.model = model
        self.shape = shape
    }

    /// The body.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(request.messages.reduce(256) { $0 + $1.text.utf8.count + 48 })
        JSONWriter.append(literal: "{\"model\":", to: &bytes)
        JSONWriter.append(model, to: &bytes)
        var separator: StaticString = ",\"messages\":[{\"role\":"
        for message in request.messages {
            JSONWriter.append(literal: separator, to: &bytes)
            JSONWriter.append(message.role.rawValue, to: &bytes)
            JSONWriter.append(literal: ",\"content\":", to: &bytes)
            JSONWriter.append(message.text, to: &bytes)
            JSONWriter.append(literal: "}", to: &bytes)
            separator = ",{\"role\":"
        }
        JSONWriter.append(literal: request.messages.isEmpty ? ",\"messages\":[]" : "]", to: &bytes)
        JSONWriter.append(literal: ",\"stream\":true", to: &bytes)
        if shape.asksForUsage {
            JSONWriter.append(literal: ",\"stream_options\":{\"include_usage\":true}", to: &bytes)
        }
        JSONWriter.append(literal: ",", to: &bytes)
        JSONWriter.append(shape.outputLimit.rawValue, to: &bytes)
        JSONWriter.append(literal: ":", to: &bytes)
        JSONWriter.append(request.maximumOutputTokens, to: &bytes)
        JSONWriter.append(literal: "}", to: &bytes)
        return bytes
    }
}
