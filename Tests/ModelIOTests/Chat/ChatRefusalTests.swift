// ChatRefusalTests: what a status means, and which complaints change the next request.
// Spec: docs/models.md (rules of the adapter)

import ModelIO
import Testing
import TutorCore

struct ChatRefusalTests {
    @Test(arguments: [301, 302, 400, 401, 402, 403, 404, 413, 422])
    func refuses(status: Int) {
        #expect(refusal(status).error == .refused(status: status))
    }

    @Test(arguments: [408, 425, 500, 502, 503, 504, 529])
    func countsAsDown(status: Int) {
        #expect(refusal(status).error == .unavailable(detail: "status \(status)"))
    }

    @Test func tellsTheEndpointsWords() {
        #expect(
            refusal(503, "{\"error\":{\"message\":\"Loading\\nmodel\"}}").error
                == .unavailable(detail: "status 503: Loading model"))
        #expect(refusal(503, "<html>").error == .unavailable(detail: "status 503"))
    }

    @Test(arguments: [(nil, nil), (2, 2_000), (20, 20_000), (3_600, 20_000), (-5, 1)] as [(Int?, Int?)])
    func capsThePause(seconds: Int?, milliseconds: Int?) {
        let refusal = ChatRefusal(
            status: 429, body: [], retryAfter: seconds.map { .seconds($0) }, limits: ModelLimits())
        #expect(refusal.error == .rateLimited(retryMilliseconds: milliseconds))
    }

    @Test func dropsTheFieldThatIsNamed() {
        let complaint = "{\"error\":{\"message\":\"Unrecognized request argument supplied: stream_options\"}}"
        let mended = ChatRequestShape().mended(after: refusal(400, complaint))
        #expect(mended?.asksForUsage == false)
        #expect(mended?.outputLimit == .maxTokens)
        #expect(mended?.mended(after: refusal(400, complaint)) == nil)
        #expect(ChatRequestShape().mended(after: refusal(422, complaint)) == mended)
        #expect(ChatRequestShape().mended(after: refusal(401, complaint)) == nil)
        #expect(ChatRequestShape().mended(after: refusal(400, "{\"error\":\"context too long\"}")) == nil)
    }

    @Test func renamesTheOutputLimit() {
        let complaint =
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        #expect(ChatRequestShape().mended(after: refusal(400, complaint))?.outputLimit == .maxCompletionTokens)
        let tooLarge = "'max_tokens' or 'max_completion_tokens' is too large: 4096"
        #expect(ChatRequestShape().mended(after: refusal(400, tooLarge)) == nil)
    }

    private func refusal(_ status: Int, _ body: String = "") -> ChatRefusal {
        ChatRefusal(status: status, body: Array(body.utf8), retryAfter: nil, limits: ModelLimits())
    }
}
