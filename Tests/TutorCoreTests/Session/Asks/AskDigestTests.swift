// AskDigestTests: the content of an ask in 16 bytes.
// Spec: docs/protocol.md §5 rule 3

import Testing
import TutorCore
import TutorProtocol

@Suite struct AskDigestTests {
    @Test func everyFieldCounts() throws {
        let point = try #require(Point(x: 0.5, y: 0.25))
        let box = try #require(Box(x: 0.5, y: 0.25, width: 0, height: 0))
        let element = try #require(ElementID("e1"))
        let asks = [
            Ask(text: ""), Ask(text: "a"), Ask(text: "b"), Ask(text: "a\u{0}"), Ask(text: "a", revision: 0),
            Ask(text: "a", revision: 1), Ask(text: "a", revision: -1), Ask(text: "a", focus: .point(point)),
            Ask(text: "a", focus: .box(box)), Ask(text: "a", focus: .element(element)), Ask(text: "a", language: ""),
            Ask(text: "a", language: "en"), Ask(text: "ae", language: "n"), Ask(text: "a", hintLevel: 3),
            Ask(text: "a", of: TurnID(1)), Ask(text: "a", of: TurnID(2)), Ask(text: "a", whenBusy: .reject),
        ]
        #expect(Set(asks.map(AskDigest.init)).count == asks.count)
    }

    @Test func theSameContentHasTheSameDigest() {
        let ask = Ask(text: "为什么错了?", revision: 8, language: "zh", hintLevel: 1)
        #expect(AskDigest(ask) == AskDigest(ask))
    }
}
