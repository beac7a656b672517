// ChatRequestBodyTests: the bytes that are posted.
// Spec: docs/models.md (rules of the adapter)

import ModelIO
import Testing
import TutorCore

struct ChatRequestBodyTests {
    @Test func asksForAStreamAndItsUsage() {
        let body = ChatRequestBody(request: request("a \"b\"\n你"), model: "m", shape: ChatRequestShape())
        #expect(
            String(decoding: body.bytes, as: UTF8.self)
                == #"{"model":"m","messages":[{"role":"system","content":"rules"},"#
                + #"{"role":"user","content":"a \"b\"\n你"}],"stream":true,"stream_options":{"include_usage":true},"#
                + #""max_tokens":200}"#)
    }

    @Test func leavesOutWhatTheEndpointDoesNotTake() {
        var shape = ChatRequestShape()
        shape.asksForUsage = false
        shape.outputLimit = .maxCompletionTokens
        let body = ChatRequestBody(
            request: ModelRequest(messages: [], maximumOutputTokens: 5, lesson: request().lesson), model: "m",
            shape: shape)
        #expect(
            String(decoding: body.bytes, as: UTF8.self)
                == #"{"model":"m","messages":[],"stream":true,"max_completion_tokens":5}"#)
    }

    @Test func beginsEqualPromptsWithEqualBytes() {
        let first = ChatRequestBody(request: request("one"), model: "m", shape: ChatRequestShape()).bytes
        let second = ChatRequestBody(request: request("two"), model: "m", shape: ChatRequestShape()).bytes
        let common = zip(first, second).prefix { $0 == $1 }.count
        let systemEnd = Array(#"{"model":"m","messages":[{"role":"system","content":"rules"}"#.utf8).count
        #expect(common >= systemEnd)
    }
}
