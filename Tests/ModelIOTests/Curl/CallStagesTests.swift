// CallStagesTests: which wait is running, without a network.
// Spec: docs/models.md (timeouts)

import ModelIO
import Testing
import TutorCore

struct CallStagesTests {
    @Test func followsACallToItsEnd() {
        var stages = CallStages(timeouts: ModelTimeouts(), now: .seconds(100))
        #expect(stages.deadline == .seconds(110))
        stages.place(now: .seconds(101))
        #expect(stages.deadline == .seconds(116))
        stages.hear(now: .seconds(102))
        // The head alone does not start the clock between bytes: the first token of a busy endpoint comes late.
        #expect(stages.deadline == .seconds(146))
        stages.hear(now: .seconds(145))
        stages.hear([.usage(ModelUsage(input: 1, cached: 0, output: 0))])
        #expect(stages.deadline == .seconds(146))
        stages.hear([.reasoning])
        #expect(stages.deadline == .seconds(165))
        stages.hear(now: .seconds(150))
        #expect(stages.deadline == .seconds(170))
        stages.hearReason(now: .seconds(151))
        #expect(stages.deadline == .seconds(153) && stages.hasReason)
        stages.end(now: .seconds(152))
        #expect(stages.deadline == .seconds(152) + CallStages.drain)
    }

    @Test func doesNotCountAPause() {
        var stages = CallStages(timeouts: ModelTimeouts(), now: .zero)
        stages.pause(now: .seconds(1))
        #expect(stages.deadline == .seconds(10))
        stages.place(now: .seconds(2))
        // The head is read all the same.
        #expect(stages.deadline == .seconds(17))
        stages.hear(now: .seconds(3))
        #expect(stages.deadline == .seconds(182))
        stages.resume(now: .seconds(32))
        #expect(stages.deadline == .seconds(77))
        stages.hear([.text("a")])
        stages.hear(now: .seconds(40))
        stages.pause(now: .seconds(41))
        stages.pause(now: .seconds(60))
        #expect(stages.deadline == .seconds(182))
        stages.resume(now: .seconds(70))
        stages.resume(now: .seconds(75))
        #expect(stages.deadline == .seconds(90))
        stages.hearReason(now: .seconds(71))
        stages.pause(now: .seconds(72))
        stages.resume(now: .seconds(80))
        #expect(stages.deadline == .seconds(81))
        stages.pause(now: .seconds(80))
        stages.end(now: .seconds(80))
        #expect(stages.deadline == .seconds(80) + CallStages.drain)
    }

    @Test func neverPassesTheTotal() {
        var stages = CallStages(timeouts: ModelTimeouts(), now: .zero)
        stages.place(now: .zero)
        stages.hear([.text("a")])
        stages.hear(now: .seconds(179))
        #expect(stages.deadline == .seconds(180))
        stages.hearReason(now: .seconds(179))
        #expect(stages.deadline == .seconds(180))
    }
}
