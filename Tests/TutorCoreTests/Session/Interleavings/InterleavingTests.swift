// InterleavingTests: random lives of a session keep every rule of a turn.
// Spec: docs/protocol.md §5, docs/session.md (interleavings)

import Foundation
import Testing
import TutorCore
import TutorProtocol

@Suite("§5 under random interleavings") struct InterleavingTests {
    /// Inputs of one life: enough for several turns, short enough to be read when one fails.
    private static let steps = 60

    /// How many lives: CHALKLINE_INTERLEAVINGS, else 2 000, and 100 000 in a release build.
    private static var count: Int {
        if let text = ProcessInfo.processInfo.environment["CHALKLINE_INTERLEAVINGS"], let count = Int(text) {
            return count
        }
        #if DEBUG
        return 2_000
        #else
        return 100_000
        #endif
    }

    /// The first seed: CHALKLINE_SEED, else 1.
    ///
    /// A failure names the seed of its own life.
    private static var firstSeed: UInt64 {
        ProcessInfo.processInfo.environment["CHALKLINE_SEED"].flatMap { UInt64($0) } ?? 1
    }

    @Test(arguments: 0..<4) func everyRuleHoldsInEveryLife(part: Int) {
        for number in stride(from: part, to: Self.count, by: 4) {
            let seed = Self.firstSeed &+ UInt64(number)
            var run = InterleavingRun(seed: seed)
            run.run(steps: Self.steps)
            guard let violation = run.rules.violations.first else { continue }
            var again = InterleavingRun(seed: seed, keepsStory: true)
            again.run(steps: Self.steps)
            Issue.record("CHALKLINE_SEED=\(seed): \(violation)\n\(again.story.suffix(8).joined(separator: "\n"))")
            return
        }
    }

    @Test func theSameSeedGivesTheSameEffects() {
        for number in 0..<100 {
            let seed = Self.firstSeed &+ UInt64(number)
            var first = InterleavingRun(seed: seed)
            first.run(steps: Self.steps)
            var second = InterleavingRun(seed: seed)
            second.run(steps: Self.steps)
            #expect(first.effects == second.effects, "CHALKLINE_SEED=\(seed)")
            #expect(!first.effects.isEmpty)
        }
    }

    /// A checker that never sees an event proves nothing.
    @Test func theLivesMeetEveryKindOfEvent() {
        var seen: Set<String> = []
        for number in 0..<300 {
            var run = InterleavingRun(seed: Self.firstSeed &+ UInt64(number))
            run.run(steps: Self.steps)
            for effect in run.effects { seen.formUnion(Self.kinds(of: effect)) }
        }
        let wanted: Set<String> = [
            "append answerDelta", "append highlight", "append nextAction", "append turnEnd", "append turnStart",
            "cancelModel", "cancelTimer", "end cancelled", "end done", "end expired", "end failed", "end superseded",
            "error bad_message", "error busy", "error rate_limited", "error unknown_turn", "error unsupported",
            "expire", "follow", "resend", "resumed replay", "resumed snapshot", "snapshot",
            "resync gap", "resync limit", "resync unknown_id", "setTimer", "startModel", "state repairing",
            "update hidden", "update moved", "update removed", "update stale",
        ]
        #expect(wanted.subtracting(seen).sorted() == [])
    }

    private static func kinds(of effect: SessionEffect) -> [String] {
        switch effect {
        case .append(let logged):
            switch logged.event {
            case .answerDelta: ["append answerDelta"]
            case .highlight: ["append highlight"]
            case .nextAction: ["append nextAction"]
            case .stepObserved: ["append stepObserved"]
            case .turnEnd(let end): ["append turnEnd", "end \(end.status.rawValue)"]
            case .turnStart: ["append turnStart"]
            }
        case .cancelModel: ["cancelModel"]
        case .cancelTimer: ["cancelTimer"]
        case .expire: ["expire"]
        case .feedback: ["feedback"]
        case .follow: ["follow"]
        case .forget: ["forget"]
        case .resend: ["resend"]
        case .send(.error(let error)): ["error \(error.code.rawValue)"]
        case .send(.highlightUpdate(let update)): ["update \(update.why?.rawValue ?? "moved")"]
        case .send(.screenResync(let resync)): ["resync \(resync.why.rawValue)"]
        case .send(.turnState(_, let state)): ["state \(state.rawValue)"]
        case .send(.sessionSnapshot): ["snapshot"]
        case .send(.welcome(let welcome)): ["resumed \(welcome.resumed.rawValue)"]
        case .send: []
        case .setTimer: ["setTimer"]
        case .startModel: ["startModel"]
        }
    }
}
