// LessonBuilder: lessons for tests, from short descriptions of elements.

import TutorCore
import TutorProtocol

/// Builds a lesson: elements get ids e1, e2, …, aliases 11, 12, … and a place of their own below one another.
struct LessonBuilder {
    var question = "What is wrong?"
    var language = "en"
    var level = 2
    var focus: Focus?
    var relevant: [Int] = []
    private(set) var elements: [Element] = []

    /// Height of a line and of the gap below it.
    static let lineHeight = 0.05

    init(_ lines: [String] = [], level: Int = 2, language: String = "en", question: String = "What is wrong?") {
        self.level = level
        self.language = language
        self.question = question
        for line in lines { add(.math, line) }
    }

    @discardableResult
    mutating func add(
        _ kind: ElementKind, _ content: String, x: Double = 0.1, y: Double? = nil, value: String? = nil,
        placeholder: String? = nil, label: String? = nil, states: ElementStates = [], region: String? = nil,
        line: Int? = nil
    ) -> Int {
        let top = y ?? (elements.map { $0.box.y + $0.box.height }.max() ?? 0.05) + 0.02
        guard let id = ElementID("e\(elements.count + 1)"),
            let box = Box(x: x, y: top, width: 0.3, height: Self.lineHeight)
        else { return 0 }
        elements.append(
            Element(
                id: id, kind: kind, content: content, box: box, placeholder: placeholder, value: value, label: label,
                states: states, region: region, line: line))
        return 10 + elements.count
    }

    var lesson: Lesson {
        Lesson(
            question: question, language: language, hintLevel: level,
            elements: elements.enumerated().map {
                AliasedElement(alias: 11 + $0.offset, element: $0.element, isChanged: false)
            },
            relevant: relevant, focus: focus)
    }

    var answer: BuiltAnswer { BuiltAnswer(BuiltinTutor().answer(to: lesson)) }
}

/// An answer taken apart: text, the aliases it points at, actions and summary.
struct BuiltAnswer {
    let raw: String
    var text = ""
    var pointed: [Int] = []
    var actions: [String] = []
    var summary: String?

    init(_ raw: String) {
        self.raw = raw
        var rest = raw[...]
        while let open = rest.range(ofPair: "[["), let close = rest[open.upperBound...].range(ofPair: "]]") {
            text += rest[..<open.lowerBound]
            let tag = String(rest[open.upperBound..<close.lowerBound])
            if let alias = Int(tag) {
                pointed.append(alias)
            } else if tag.hasPrefix("sum: ") {
                summary = String(tag.dropFirst(5))
            } else {
                actions.append(tag)
            }
            rest = rest[close.upperBound...]
        }
        text += rest
    }

    /// Every number in text and summary.
    var numbers: Set<String> {
        Set((text + " " + (summary ?? "")).split { !("0"..."9").contains($0) }.map(String.init))
    }
}

extension Substring {
    /// The first occurrence of two characters.
    fileprivate func range(ofPair pair: String) -> Range<Index>? {
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(pair) { return index..<self.index(index, offsetBy: 2) }
            index = self.index(after: index)
        }
        return nil
    }
}
