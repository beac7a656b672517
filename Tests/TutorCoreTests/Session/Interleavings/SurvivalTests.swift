// SurvivalTests: random lives with a disk and crashes lose nothing that was acknowledged.
// Spec: docs/protocol.md §3, docs/reliability.md

import Foundation
import Testing

@Suite("§3 under random crashes") struct SurvivalTests {
    private static let steps = 200

    /// How many lives: CHALKLINE_INTERLEAVINGS, else 1 000.
    private static var count: Int {
        ProcessInfo.processInfo.environment["CHALKLINE_INTERLEAVINGS"].flatMap(Int.init) ?? 1_000
    }

    /// The first seed: CHALKLINE_SEED, else 1.
    private static var firstSeed: UInt64 {
        ProcessInfo.processInfo.environment["CHALKLINE_SEED"].flatMap { UInt64($0) } ?? 1
    }

    @Test(arguments: 0..<2) func everyHistoryIsExactOrAnAnnouncedSnapshot(part: Int) {
        for number in stride(from: part, to: Self.count, by: 2) {
            let seed = Self.firstSeed &+ UInt64(number)
            var run = SurvivalRun(seed: seed)
            run.run(steps: Self.steps)
            guard let violation = run.violations.first else { continue }
            Issue.record("CHALKLINE_SEED=\(seed): \(violation)\n\(run.story.suffix(8).joined(separator: "\n"))")
            return
        }
    }

    /// A checker that never sees a crash proves nothing.
    @Test func theLivesMeetEveryKindOfReturn() {
        var story: [String] = []
        for number in 0..<200 {
            var run = SurvivalRun(seed: Self.firstSeed &+ UInt64(number))
            run.run(steps: Self.steps)
            story += run.story
        }
        for word in ["replay at", "snapshot at", "crash at", "crash without", "too slow", "forget"] {
            #expect(story.contains { $0.hasPrefix(word) }, "\(word)")
        }
    }
}
