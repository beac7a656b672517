// Evaluation: the filter on questions that people asked about real screens.

import Foundation
import ScreenCore
import Testing
import TutorProtocol

/// One question with the elements that answer it.
private struct Question {
    var text: String
    var gold: [[ElementID]]
    var screen: ScreenState
}

/// Reads the data sets from the folder that the environment names.
private enum EvaluationData {
    static let folder = ProcessInfo.processInfo.environment["CHALKLINE_EVAL_DATA"]

    /// Every n-th question with a known answer.
    static func questions(_ questionFile: String, on screenFile: String, each step: Int = 1) throws -> [Question] {
        var screens: [String: ScreenState] = [:]
        for line in try lines(screenFile) {
            if let name = line["screen"] as? String { screens[name] = try state(line) }
        }
        var questions: [Question] = []
        for (number, line) in try lines(questionFile).enumerated() where number % step == 0 {
            guard let gold = line["gold"] as? [[String]], !gold.isEmpty, let text = line["question"] as? String,
                let name = line["screen"] as? String, let screen = screens[name]
            else { continue }
            questions.append(
                Question(text: text, gold: gold.map { $0.compactMap { ElementID($0) } }, screen: screen))
        }
        return questions
    }

    private static func lines(_ file: String) throws -> [[String: Any]] {
        let path = try #require(folder) + "/" + file
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    private static func state(_ line: [String: Any]) throws -> ScreenState {
        var elements: [Element] = []
        for item in try #require(line["elements"] as? [[String: Any]]) {
            let sides = try #require(item["box"] as? [NSNumber]).map(\.doubleValue)
            elements.append(
                Element(
                    id: try #require(ElementID(item["id"] as? String ?? "")), kind: kind(item["type"] as? String ?? ""),
                    content: String((item["text"] as? String ?? "").prefix(600)),
                    box: try #require(Box(x: sides[0], y: sides[1], width: max(0, sides[2]), height: max(0, sides[3]))),
                    parent: (item["parent"] as? String).flatMap { ElementID($0) }))
        }
        return try screen(elements)
    }

    private static func kind(_ type: String) -> ElementKind {
        switch type {
        case "pictogram", "map": .image
        case "label": .text
        case "radio_button": .radio
        case "text_input": .input
        default: ElementKind(wire: type)
        }
    }
}

/// Shares of the questions, in percent, whose answer is found.
private struct Score {
    private(set) var count = 0
    private var found: [String: Int] = [:]

    mutating func add(_ question: Question) {
        var aliases = AliasTable()
        let ranked = ScreenSelector()
            .select(question.screen, query: RelevanceQuery(question: question.text), aliases: &aliases).ranked
        var places: [ElementID: Int] = [:]
        var tokens: [Int] = []
        for (place, element) in ranked.enumerated() {
            places[element.id] = place
            tokens.append((tokens.last ?? 0) + element.tokens)
        }
        let last = question.gold.map { group in group.compactMap { places[$0] }.min() ?? ranked.count }.max() ?? 0
        count += 1
        for limit in [1, 5, 10, 20] where last < limit { found["r@\(limit)", default: 0] += 1 }
        for limit in [100, 150, 200] where last < ranked.count && tokens[last] <= limit {
            found["t@\(limit)", default: 0] += 1
        }
    }

    subscript(name: String) -> Double { 100 * Double(found[name] ?? 0) / Double(max(1, count)) }
}

@Suite(.enabled(if: EvaluationData.folder != nil)) struct EvaluationTests {
    private func score(_ questions: [Question]) -> Score {
        var score = Score()
        for question in questions { score.add(question) }
        return score
    }

    @Test func findsTheAnswersOfMobileQuestions() throws {
        let score = try score(EvaluationData.questions("questions_dev.jsonl", on: "screens_dev.jsonl"))
        #expect(score.count > 300)
        #expect(score["r@5"] > 85 && score["r@10"] > 92.5 && score["r@20"] > 98.5)
        #expect(score["t@100"] > 94.8 && score["t@150"] > 97.8 && score["t@200"] > 99)
    }

    @Test func findsIcons() throws {
        let score = try score(EvaluationData.questions("icon_questions_dev.jsonl", on: "screens_dev.jsonl"))
        #expect(score["r@1"] > 70 && score["r@5"] > 92)
    }

    @Test func findsChineseSentences() throws {
        let score = try score(EvaluationData.questions("questions_zh_dev.jsonl", on: "screens_zh_dev.jsonl", each: 3))
        #expect(score["r@1"] > 72 && score["r@5"] > 94)
    }
}
