// EndReasonTests: why a turn ended, and the one place where a model's faults become codes.
// Spec: docs/protocol.md §5 (`turn.end`), §10

import Testing
import TutorCore
import TutorProtocol

@Suite struct EndReasonTests {
    @Test(arguments: [
        (ModelError.invalid(detail: "/etc/secret"), "upstream_invalid"),
        (.rateLimited(retryMilliseconds: 1), "upstream_rate_limited"),
        (.refused(status: 401), "upstream_refused"),
        (.timeout, "upstream_timeout"),
        (.unavailable(detail: "10.0.0.1"), "upstream_unavailable"),
    ])
    func aModelsFaultHasItsCodeAndNoDetails(error: ModelError, wire: String) {
        #expect(EndReason(error).wire == wire)
    }

    @Test func theOtherReasonsHaveTheirNames() {
        #expect(EndReason.empty.wire == "upstream_invalid")
        #expect(EndReason.filtered.wire == "upstream_refused")
        #expect(EndReason.length.wire == "length")
        #expect(EndReason.policy.wire == "policy")
        #expect(EndReason.restarted.wire == "restarted")
        for code in ErrorCode.allCases { #expect(EndReason.code(code).wire == code.rawValue) }
    }
}
