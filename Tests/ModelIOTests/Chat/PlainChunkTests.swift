// PlainChunkTests: the quick reading of a chunk says the same as the tree.
// Spec: docs/models.md (rules of the adapter)

import ModelIO
import Testing
import TutorCore

struct PlainChunkTests {
    /// Chunks at the border between the two readings.
    static let chunks = [
        #"{"choices":[{"delta":{"content":"a"}}]}"#,
        #"{"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":"a \"b\" é"}}]}"#,
        #"{"object":"error","message":"no","choices":[{"delta":{"content":"a"}}]}"#,
        #"{"choices":[{"object":"error","delta":{"content":"hey"}}]}"#,
        #"{"choices":[{"object":"chunk","delta":{"content":"hey"}}]}"#,
        #"{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}"#,
        #"{"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"b"}}]}"#,
        #"{"choices":[{"index":1,"delta":{"content":"b"}}]}"#,
        #"{"choices":[{"delta":{"content":"a","reasoning":"hm"}}]}"#,
        #"{"choices":[{"delta":{"reasoning_content":null,"content":"a"}}]}"#,
        #"{"choices":[{"delta":{"content":""},"finish_reason":null}]}"#,
        #"{"choices":[{"delta":{"content":null}}],"usage":null}"#,
        #"{"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}"#,
        #"{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#,
        #"{"choices":[{"delta":{"content":"a"},"usage":{"prompt_tokens":1,"completion_tokens":2}}]}"#,
        #"{"choices":[{"delta":{"content":"a"}}],"error":{"message":"no"}}"#,
        #"{"choices":[{"delta":{"content":"a"},"error":{"message":"no"}}]}"#,
        #"{"choices":[{"delta":{"content":"a"}}],"error":""}"#,
        #"{"choices":[{"delta":{"content":[{"type":"text","text":"a"}]}}]}"#,
        #"{"choices":[{"delta":null,"message":{"content":"a"},"text":"b"}]}"#,
        #"{"choices":[{"message":{"content":"b"},"delta":{"content":"a"}}]}"#,
        #"{"choices":[{"text":"a"}]}"#,
        #"{"ch\u006fices":[{"delta":{"content":"a"}}]}"#,
        #"{"choices":[{"delta":{"c\u006fntent":"a"}}]}"#,
        #"{"choices":[{"delta":{"content":"a","content":"b"}}]}"#,
        #"{"choices":[{"delta":{"content":"a"}}]} x"#,
        #"{"choices":[{"delta":{"content":"a"}}]"#,
        #"{"choices":[{"delta":{"content":"\ud800"}}]}"#,
        #"{"choices":[]}"#,
        #"{}"#,
        #"[]"#,
    ]

    /// A chunk of more than 4 KiB is always read as a tree.
    private func padded(_ chunk: String) -> String {
        guard chunk.hasPrefix("{\"") else { return chunk }
        return #"{"pad":""# + String(repeating: "x", count: 4_200) + #"","# + chunk.dropFirst()
    }

    @Test(arguments: chunks)
    func saysWhatTheTreeSays(chunk: String) {
        func events(_ chunk: String) -> [ModelEvent] { decode([Array("data: \(chunk)\n\ndata: [DONE]\n\n".utf8)]) }
        let (quick, tree) = (events(chunk), events(padded(chunk)))
        // The padding moves the place that an error names; no event tells it.
        #expect(quick == tree)
        #expect(!quick.isEmpty)
    }
}
