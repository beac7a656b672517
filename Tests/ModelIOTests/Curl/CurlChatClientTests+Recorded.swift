// CurlChatClientTests: streams recorded from real servers, replayed over a socket as they were read.
// Spec: docs/models.md (tests)

import ModelIO
import Testing
import TutorCore

extension CurlChatClientTests {
    @Test(
        .enabled(if: RecordedStreams.folder != nil, "CHALKLINE_EVAL_DATA is not set"),
        arguments: RecordedStreams.names(".http"))
    func readsARecordedResponse(name: String) throws {
        let recorded = try #require(RecordedResponse(RecordedStreams.bytes(of: name)))
        let (events, _, _) = try play("[{\"recorded\": \"\(RecordedStreams.folder ?? "")\(name)\"}]")
        if recorded.status != 200 {
            #expect(events == [.failed(.refused(status: recorded.status))])
            return
        }
        let expected = RecordedStreams.expected(Array(recorded.pieces.joined()))
        #expect(text(of: events) == text(of: expected))
        // A response that breaks off ends with libcurl's own words.
        if case .failed = expected.last {
            guard case .failed(.unavailable) = events.last else {
                Issue.record("\(events)")
                return
            }
        } else {
            #expect(events == expected)
        }
    }
}
