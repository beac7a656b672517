// FormParts: the inputs, labels, messages and buttons of a form.
// Spec: docs/builtin.md (forms)

import TutorProtocol

/// The inputs, labels, messages and buttons of a form, found by name and place.
///
/// Every search is linear.
struct FormParts {
    let elements: [Element]
    /// Kinds and boxes apart: searches that look at many elements need not touch their texts.
    private let shapes: [(kind: ElementKind, box: Box)]

    init(_ elements: [Element]) {
        self.elements = elements
        shapes = elements.map { ($0.kind, $0.box) }
    }

    /// What a person would call an element.
    static func name(_ element: Element) -> String {
        for text in [element.content, element.label, element.placeholder, element.value] {
            if let text, !text.isEmpty { return text }
        }
        return ""
    }

    /// Whether nothing was filled in.
    static func isEmpty(_ element: Element) -> Bool {
        switch element.kind {
        case .input, .select: (element.value ?? "").isEmpty && element.content.isEmpty
        case .checkbox: !element.states.contains(.checked)
        default: false
        }
    }

    /// The places of what a person fills in by typing or choosing.
    var fields: [Int] { shapes.indices.filter { shapes[$0].kind == .input || shapes[$0].kind == .select } }

    /// The text that names a field: its own label, else the nearest text to its left or above it.
    func label(of field: Int) -> String {
        if let label = elements[field].label, !label.isEmpty { return label }
        let own = elements[field].placeholder ?? ""
        let box = shapes[field].box
        var best: (distance: Double, place: Int)?
        // In reading order a label stands shortly before its field.
        let near = max(0, field - Self.maximumLabelDistance)..<min(elements.count, field + Self.maximumLabelDistance)
        for place in near {
            let kind = shapes[place].kind
            guard kind == .text || kind == .heading || kind == .other,
                let distance = Self.labelDistance(shapes[place].box, box), distance < best?.distance ?? .infinity,
                elements[place].content.utf8.count <= Self.maximumLabelBytes
            else { continue }
            best = (distance, place)
        }
        guard let best else { return own }
        let text = elements[best.place].content
        return own.isEmpty ? text : text + " " + own
    }

    /// How many places in reading order a label may stand from its field: keeps the search linear on long forms.
    private static let maximumLabelDistance = 24
    /// Longest text that is taken as a label, in bytes.
    private static let maximumLabelBytes = 120
    /// Farthest that a label stands above its field, in screens.
    private static let maximumLabelGap = 0.06

    private static func labelDistance(_ label: Box, _ field: Box) -> Double? {
        let sameRow = abs(label.midY - field.midY) <= max(field.height, label.height) / 2
        let gapLeft = field.x - (label.x + label.width)
        if sameRow, gapLeft >= -0.01 { return gapLeft }
        let gapAbove = field.y - (label.y + label.height)
        let overlaps = min(label.x + label.width, field.x + field.width) > max(label.x, field.x)
        return gapAbove >= -0.01 && gapAbove <= maximumLabelGap && overlaps ? gapAbove : nil
    }

    /// The first visible message that speaks of a fault.
    func errorMessage() -> Int? {
        if let error = elements.firstIndex(where: { $0.kind == .error && !$0.content.isEmpty }) { return error }
        return elements.firstIndex { $0.kind == .alert && !$0.content.isEmpty && !Self.isGoodNews($0.content) }
    }

    private static func isGoodNews(_ text: String) -> Bool {
        let lowered = text.lowercased()
        let news = [
            "success", "saved", "well done", "correct!", "completed", "thank", "welcome", "成功", "已保存", "完成", "正确", "欢迎",
        ]
        let bad = ["not ", "un", "in", "未", "不", "错"]
        return news.contains { good in
            guard let place = lowered.place(of: good) else { return false }
            let before = String(decoding: Array(lowered.utf8).prefix(place), as: UTF8.self)
            return !bad.contains(where: before.hasSuffix)
        }
    }

    /// The field that a message is about: named in it, marked invalid, or the nearest.
    func field(ofMessage message: Int) -> Int? {
        let candidates = fields
        let text = elements[message].content.lowercased()
        let intent = QuestionIntent(text)
        let marked = candidates.filter { elements[$0].states.contains(.invalid) }
        let pool = marked.isEmpty ? candidates : marked
        if pool.count > 1 {
            let named = pool.filter { field in
                let label = label(of: field)
                guard !label.isEmpty else { return false }
                return intent.overlap(withText: label) > 0
            }
            if named.count == 1 { return named[0] }
        }
        return pool.min { distance($0, message) < distance($1, message) }
    }

    private func distance(_ field: Int, _ message: Int) -> Double {
        let (a, b) = (elements[field].box, elements[message].box)
        let dx = max(0, max(a.x, b.x) - min(a.x + a.width, b.x + b.width))
        let dy = max(0, max(a.y, b.y) - min(a.y + a.height, b.y + b.height))
        // Messages stand below their field more often than above.
        return dx + dy + (b.y < a.y ? 0.01 : 0)
    }

    /// The first field that must be filled in and is not.
    func emptyRequiredField() -> Int? {
        shapes.indices.first { index in
            guard shapes[index].kind == .input || shapes[index].kind == .select else { return false }
            let element = elements[index]
            guard Self.isEmpty(element),
                !element.states.contains(.disabled)
            else { return false }
            return Self.isRequired(label(of: index)) || Self.isRequired(element.placeholder ?? "")
        }
    }

    private static func isRequired(_ text: String) -> Bool {
        let trimmed = text.filter { !$0.isWhitespace }
        if trimmed.hasSuffix("*") || trimmed.hasPrefix("*") || trimmed.holds("*:") || trimmed.holds("＊") {
            return true
        }
        let lowered = text.lowercased()
        return (lowered.holds("required") && !lowered.holds("not required")) || lowered.holds("必填")
            || lowered.holds("必选")
    }

    /// The first button that is switched off.
    func disabledButton() -> Int? {
        elements.firstIndex { $0.kind == .button && $0.states.contains(.disabled) }
    }

    /// What a switched-off button probably waits for: the first empty field, else a box that is not ticked.
    func waitedFor(by button: Int) -> Int? {
        let empty = fields.first { Self.isEmpty(elements[$0]) && !elements[$0].states.contains(.disabled) }
        if let required = emptyRequiredField() { return required }
        return empty ?? elements.firstIndex { $0.kind == .checkbox && Self.isEmpty($0) }
    }

    /// The field for the result of a derivation: the nearest input below its last line.
    func answerField(after line: Int, lines: Set<Int>) -> Int? {
        let last = elements[line]
        let below = shapes.indices.filter { index in
            guard shapes[index].kind == .input else { return false }
            let element = elements[index]
            guard !element.states.contains(.disabled), !lines.contains(index) else {
                return false
            }
            if let region = element.region, let other = last.region, region == other { return true }
            return element.box.midY >= last.box.midY - last.box.height / 2
                && element.box.midY - last.box.midY <= Self.maximumAnswerGap
        }
        return below.min { abs(elements[$0].box.midY - last.box.midY) < abs(elements[$1].box.midY - last.box.midY) }
    }

    /// Farthest that an answer field stands below the last line, in screens.
    private static let maximumAnswerGap = 0.45

    /// The button that hands in: one that says so, else the nearest below or beside the line or field.
    func submitButton(after index: Int) -> Int? {
        let anchor = elements[index]
        let usable = shapes.indices.filter {
            shapes[$0].kind == .button && !elements[$0].states.contains(.disabled)
                && elements[$0].box.midY >= anchor.box.midY - max(anchor.box.height, 0.02)
        }
        return usable.first { Self.handsIn(elements[$0].content) }
    }

    private static func handsIn(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return ["submit", "check", "done", "send", "finish", "hand in", "提交", "检查", "确定", "完成", "交卷"].contains {
            lowered.holds($0)
        }
    }
}
