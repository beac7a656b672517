// Session, the lesson: the question and the screen in structured form.
// Spec: docs/session.md (a turn's start)

import ScreenCore
import TutorProtocol

extension Session {
    /// The question and every element that may be shown, in reading order, each under its alias.
    mutating func lesson(
        _ ask: AcceptedAsk, on pinned: ScreenState, selection: ScreenSelection, language: String, level: Int,
        focus: Focus?
    ) -> Lesson {
        // The rows have their aliases already; what they left out gets higher numbers.
        let elements = ReadingOrder.sorted(pinned.elements.filter(\.isShowable)).map { element in
            AliasedElement(
                alias: aliases.alias(for: element.serial), element: element.element,
                isChanged: changed.contains(element.serial))
        }
        return Lesson(
            question: ask.question, language: language, hintLevel: level, elements: elements,
            relevant: selection.ranked.filter(\.fitsQuestion).map { aliases.alias(for: $0.serial) }, focus: focus)
    }

    /// What changed since the last turn, in one line, by the aliases of the rows; nil for nothing.
    func changesLine(in selection: ScreenSelection) -> String? {
        let numbers = selection.sent.filter { changed.contains($0.value) }.keys.sorted()
        var parts = numbers.prefix(Self.maximumChangesNamed).map(String.init)
        if numbers.count > Self.maximumChangesNamed { parts.append("…") }
        if goneCount > 0 { parts.append("\(goneCount) gone") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Most changed elements that the line names; the rows mark all of them.
    private static let maximumChangesNamed = 20
}

extension RankedElement {
    /// Whether the question itself speaks for the element: by its words, by an icon's name, or through its label.
    ///
    /// Every element has a rank; what only is in focus, has changed or can be operated does not fit for that alone.
    fileprivate var fitsQuestion: Bool {
        reasons.contains { reason in
            reason.hasPrefix("word:") || reason.hasPrefix("icon:") || reason == "label-of" || reason == "under-label"
        }
    }
}

extension ActiveTurn {
    /// The lesson with only those elements that are still what they were.
    func lessonAlive(on screen: ScreenState) -> Lesson {
        var lesson = lesson
        lesson.elements.removeAll { entry in
            switch TargetValidator().resolve(entry.alias, sent: sent, pinned: pinned, current: screen) {
            case .failure: true
            case .success: false
            }
        }
        let alive = Set(lesson.elements.map(\.alias))
        lesson.relevant.removeAll { !alive.contains($0) }
        return lesson
    }
}
