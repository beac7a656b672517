// GeneratedDerivationTests: derivations with one known slip are found, clean ones are left alone.

import Testing
import TutorCore

@Suite("Generated derivations") struct GeneratedDerivationTests {
    /// Debug builds check a part; `-c release` checks all 2 000.
    private static var count: Int {
        #if DEBUG
        120
        #else
        2_000
        #endif
    }

    @Test func findsTheSlipOfGeneratedDerivations() {
        var generator = DerivationGenerator(seed: 20_261_130)
        let checker = DerivationChecker()
        var found = 0
        var sameKind = 0
        var misses: [String] = []
        for _ in 0..<Self.count {
            let derivation = generator.derivation(withSlip: true)
            let finding = checker.check(derivation.lines)
            if let finding, finding.index == derivation.slip?.index {
                found += 1
                if finding.kind == derivation.slip?.kind {
                    sameKind += 1
                } else if misses.count < 40 {
                    misses.append("KIND \(derivation) said \(finding.kind)")
                }
            } else {
                misses.append("\(derivation) said \(finding.map { "\($0.index) \($0.kind)" } ?? "nothing")")
            }
        }
        #expect(found * 100 >= Self.count * 99, "found \(found) of \(Self.count): \(misses.suffix(12))")
        #expect(sameKind * 100 >= Self.count * 85, "same kind \(sameKind) of \(Self.count)")
    }

    @Test func leavesCleanGeneratedDerivationsAlone() {
        var generator = DerivationGenerator(seed: 7)
        let checker = DerivationChecker()
        for _ in 0..<Self.count {
            let derivation = generator.derivation(withSlip: false)
            let finding = checker.check(derivation.lines)
            #expect(finding == nil, "\(derivation)")
        }
    }

    @Test func leavesListsOfExercisesAlone() {
        // One line of each of many derivations: the first lines are exercises, not steps.
        var generator = DerivationGenerator(seed: 99)
        let checker = DerivationChecker()
        var alarms: [String] = []
        for _ in 0..<Self.count {
            let lines = (0..<5).map { _ in generator.derivation(withSlip: false).lines[0] }
            if let finding = checker.check(lines) {
                alarms.append(lines.joined(separator: " / ") + " line \(finding.index) \(finding.kind)")
            }
        }
        // Two exercises may look like a step by chance: here fewer than one list in a thousand does.
        #expect(alarms.count * 1_000 < Self.count, "\(alarms.count): \(alarms.prefix(12))")
    }

    @Test func judgesSeveralExercisesBelowOneAnotherEachByItself() {
        var generator = DerivationGenerator(seed: 5)
        let checker = DerivationChecker()
        for _ in 0..<(Self.count / 3) {
            let lines = (0..<3).flatMap { _ in generator.derivation(withSlip: false).lines }
            #expect(checker.check(lines) == nil, "\(lines)")
        }
    }
}
