// EvaluationDataTests: figures on public data, where CHALKLINE_EVAL_DATA names its folder.

import Foundation
import Testing
import TutorCore
import TutorProtocol

@Suite("Evaluation data", .enabled(if: EvaluationData.folder != nil)) struct EvaluationDataTests {
    @Test func findsTheFirstFalseEqualityOfMultistepArithmetic() throws {
        var (wrong, exact) = (0, 0)
        let rows = try EvaluationData.rows("first_wrong_dev.jsonl")
        for row in rows where row["source"] as? String == "bbm" && row["task"] as? String == "multistep_arithmetic" {
            guard let gold = row["first_wrong"] as? Int, let lines = row["lines"] as? [String] else { continue }
            wrong += 1
            if DerivationChecker().check(lines)?.index == gold { exact += 1 }
        }
        print("multistep arithmetic: \(exact) of \(wrong) first wrong lines found")
        #expect(wrong > 100)
        #expect(exact * 152 >= 147 * wrong)
    }

    @Test func leavesCleanSchoolSolutionsAlone() throws {
        var (clean, alone) = (0, 0)
        for row in try EvaluationData.rows("first_wrong_sa_dev.jsonl") where !(row["first_wrong"] is Int) {
            guard let lines = row["lines"] as? [String] else { continue }
            clean += 1
            if DerivationChecker().check(lines) == nil { alone += 1 }
        }
        print("school solutions: \(alone) of \(clean) clean ones left alone")
        #expect(clean > 100)
        #expect(alone * 116 >= 114 * clean)
    }

    @Test func beatsPlainEqualityCheckingOnWordProblems() throws {
        var (wrong, exact) = (0, 0)
        for row in try EvaluationData.rows("first_wrong_dev.jsonl") where row["source"] as? String == "mrgsm8k" {
            guard let gold = row["first_wrong"] as? Int, let lines = row["lines"] as? [String] else { continue }
            wrong += 1
            if DerivationChecker().check(lines)?.index == gold { exact += 1 }
        }
        print("word problems: \(exact) of \(wrong) first wrong lines found")
        #expect(exact * 5 > wrong)
    }

    @Test(arguments: ["screens_dev.jsonl", "screens_zh_dev.jsonl"])
    func raisesNoAlarmOnRealScreens(file: String) throws {
        var screens = 0
        for row in try EvaluationData.rows(file) {
            guard let raw = row["elements"] as? [[String: Any]] else { continue }
            let elements = raw.enumerated().compactMap { EvaluationData.element($1, number: $0) }
            screens += 1
            for derivation in DerivationFinder().derivations(in: elements) {
                let finding = derivation.review().finding
                #expect(finding == nil, "\(derivation.lines.map(\.text))")
            }
        }
        print("\(file): no alarm on \(screens) screens")
        #expect(screens > 400)
    }

    @Test(arguments: ["zh_math_dev.jsonl"]) func raisesNoAlarmOnWordProblemTexts(file: String) throws {
        for row in try EvaluationData.rows(file) {
            guard let question = row["question"] as? String else { continue }
            let finding = DerivationChecker().check(question.split { "。？！\n".contains($0) }.map(String.init))
            #expect(finding == nil, "\(question)")
        }
    }
}

private enum EvaluationData {
    static let folder = ProcessInfo.processInfo.environment["CHALKLINE_EVAL_DATA"]

    static func rows(_ file: String) throws -> [[String: Any]] {
        let path = try #require(folder) + "/" + file
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return try text.split(separator: "\n").map { row in
            try #require(try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
        }
    }

    static func element(_ raw: [String: Any], number: Int) -> Element? {
        guard let text = raw["text"] as? String, let numbers = raw["box"] as? [NSNumber], numbers.count == 4,
            let id = ElementID("e\(number)"),
            let box = Box(
                x: numbers[0].doubleValue, y: numbers[1].doubleValue, width: numbers[2].doubleValue,
                height: numbers[3].doubleValue)
        else { return nil }
        return Element(id: id, kind: ElementKind(wire: raw["type"] as? String ?? ""), content: text, box: box)
    }
}
