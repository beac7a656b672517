// RecordedStreamTests: the decoder on streams recorded from real servers.
// Spec: docs/models.md (tests)

import ModelIO
import Testing
import TutorCore

@Suite(.enabled(if: RecordedStreams.folder != nil, "CHALKLINE_EVAL_DATA is not set"))
struct RecordedStreamTests {
    @Test func findsTheRecordings() {
        #expect(RecordedStreams.names(".sse").count > 10)
        #expect(RecordedStreams.names(".http").count > 10)
    }

    @Test(arguments: RecordedStreams.names(".sse"))
    func readsABodyInAnyPieces(name: String) throws {
        let body = try RecordedStreams.bytes(of: name)
        let expected = RecordedStreams.expected(body)
        #expect(decode([body]) == expected)
        #expect(decode(body.map { [$0] }) == expected)
        for seed in 0..<10 { #expect(decode(Cuts.pieces(of: body, seed: UInt64(seed), longest: 97)) == expected) }
    }

    @Test(arguments: RecordedStreams.names(".http").filter { !$0.contains("-err_") })
    func readsAResponseInItsRecordedPieces(name: String) throws {
        let recorded = try #require(RecordedResponse(RecordedStreams.bytes(of: name)))
        #expect(recorded.status == 200)
        let expected = RecordedStreams.expected(Array(recorded.pieces.joined()))
        #expect(decode(recorded.pieces) == expected)
        #expect(text(of: expected).isEmpty == false)
    }

    @Test(arguments: RecordedStreams.names(".http").filter { $0.contains("-err_") })
    func readsARefusal(name: String) throws {
        let recorded = try #require(RecordedResponse(RecordedStreams.bytes(of: name)))
        let refusal = ChatRefusal(
            status: recorded.status, body: Array(recorded.pieces.joined()), retryAfter: nil, limits: ModelLimits())
        #expect(refusal.error == .refused(status: recorded.status))
        #expect([400, 404].contains(recorded.status))
        #expect(ChatRequestShape().mended(after: refusal) == nil)
    }
}
