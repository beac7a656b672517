// BearerTests: where a token may stand.
// Spec: docs/protocol.md §1 (token)

import Testing
import WireCore

@testable import TutorServer

@Suite("Bearer")
struct BearerTests {
    private func bearer(_ values: [String], _ subprotocols: [String] = []) -> Bearer {
        Bearer(HTTPHeaders(values.map { ("Authorization", $0) }), subprotocols: subprotocols)
    }

    @Test func headerOrSubprotocolHoldsIt() {
        #expect(bearer([]) == .none)
        #expect(bearer(["Bearer a.b.c"]) == .token("a.b.c"))
        #expect(bearer(["bearer  a.b.c "]) == .token("a.b.c"))
        #expect(bearer([], ["chalkline.v1", "bearer.a.b.c"]) == .token("a.b.c"))
        #expect(bearer(["Basic eDp5"]) == .none)
        #expect(bearer(["Basic eDp5"], ["bearer.a.b.c"]) == .token("a.b.c"))
    }

    @Test func twoMustBeTheSame() {
        #expect(bearer(["Bearer a.b.c"], ["bearer.a.b.c"]) == .token("a.b.c"))
        #expect(bearer(["Bearer a.b.c"], ["bearer.a.b.d"]) == .fault(.ambiguous))
        #expect(bearer(["Bearer a.b.c", "Bearer a.b.d"]) == .fault(.ambiguous))
        #expect(bearer([], ["bearer.a", "bearer.b"]) == .fault(.ambiguous))
        #expect(bearer(["Bearer"]) == .fault(.malformed))
        #expect(bearer(["Bearer"], ["bearer.a.b.c"]) == .fault(.malformed))
    }

    @Test func itIsNeverPrinted() {
        #expect("\(bearer(["Bearer planted"]))" == "<redacted>")
    }

    @Test(arguments: ["token=x", "a=1&access_token=x", "ACCESS_TOKEN=x", "token", "bearer=x&b"])
    func tokenInTheQueryIsSeen(query: String) {
        #expect(Bearer.isInQuery(query))
    }

    @Test(arguments: ["", "a=token", "tokens=1", "x&y=access_token"])
    func otherQueriesHoldNone(query: String) {
        #expect(!Bearer.isInQuery(query))
        #expect(!Bearer.isInQuery(nil))
    }
}
