// BuiltinContext: what every rule of the built-in tutor may look at.
// Spec: docs/builtin.md

public import TutorProtocol

/// What every rule may look at: the lesson, its derivations with what is known about them, and the form's parts.
public struct BuiltinContext: Sendable {
    /// A derivation with what is known about its lines.
    public struct Work: Sendable, Hashable {
        /// The lines.
        public let derivation: Derivation
        /// What is known about them.
        public let review: DerivationReview
    }

    /// The question and the screen.
    public let lesson: Lesson
    /// The sentences in the answer's language.
    public let phrases: BuiltinPhrases
    /// What kind of question it is.
    public let question: QuestionIntent
    /// The derivations on the screen, in reading order.
    public let works: [Work]
    /// The parts of the form.
    let form: FormParts
    /// The bounds of the checker.
    public let limits: CheckingLimits

    private let places: [Int: Int]

    /// Looks at a lesson.
    public init(_ lesson: Lesson, limits: CheckingLimits = CheckingLimits()) {
        self.lesson = lesson
        self.limits = limits
        phrases = BuiltinPhrases.phrases(for: lesson.language)
        question = QuestionIntent(lesson.question)
        let elements = lesson.elements.map(\.element)
        form = FormParts(elements)
        let typed = elements.firstIndex { Self.isBeingTyped($0, focus: lesson.focus) }
        works = DerivationFinder(limits: limits).derivations(in: elements).map { derivation in
            Work(derivation: derivation, review: Self.review(derivation, typedElement: typed, limits: limits))
        }
        places = Dictionary(
            lesson.elements.enumerated().map { ($0.element.alias, $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// A value that is still being typed is not held against the student while it may yet become the right one.
    private static func review(_ derivation: Derivation, typedElement: Int?, limits: CheckingLimits) -> DerivationReview
    {
        let review = derivation.review(limits: limits)
        guard let finding = review.finding, let typedElement, finding.index == derivation.lines.count - 1,
            derivation.lines[finding.index].element == typedElement, let right = finding.correction,
            packed(right).hasPrefix(packed(derivation.lines[finding.index].text)), derivation.lines.count > 1
        else { return review }
        var shorter = derivation
        shorter.lines.removeLast()
        return shorter.review(limits: limits)
    }

    private static func isBeingTyped(_ element: Element, focus: Focus?) -> Bool {
        guard element.kind == .input else { return false }
        if element.states.contains(.focused) { return true }
        if case .element(let id) = focus { return element.id == id }
        return false
    }

    static func packed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

    /// Whether the student is typing in the element.
    func isBeingTyped(_ element: Element) -> Bool { Self.isBeingTyped(element, focus: lesson.focus) }

    /// The hint level, 0 to 4.
    public var level: Int { lesson.hintLevel }

    /// The alias of the n-th element.
    public func alias(at index: Int) -> Int { lesson.elements[index].alias }

    /// The tag that points at the n-th element.
    public func pointer(at index: Int) -> String { BuiltinAnswer.pointer(to: alias(at: index)) }

    /// The element that an alias stands for.
    public func element(alias: Int) -> Element? { places[alias].map { lesson.elements[$0].element } }

    /// Where the student looks: the vertical place of the focus, if any.
    private var focusHeight: Double? {
        switch lesson.focus {
        case .box(let box): box.midY
        case .point(let point): point.y
        case .element(let id): lesson.elements.first { $0.element.id == id }?.element.box.midY
        case nil: nil
        }
    }

    /// The works that satisfy a condition, the one nearest to the student's focus first, else in reading order.
    public func works(where condition: (Work) -> Bool) -> [Work] {
        let fitting = works.filter(condition)
        guard let focusHeight, fitting.count > 1 else { return Array(fitting.prefix(Self.maximumWorks)) }
        let ordered = fitting.sorted { distance($0, focusHeight) < distance($1, focusHeight) }
        return Array(ordered.prefix(Self.maximumWorks))
    }

    /// Most derivations that a rule looks at closely.
    ///
    /// More than that on one screen are a list of exercises.
    static let maximumWorks = 8

    private func distance(_ work: Work, _ height: Double) -> Double {
        work.derivation.lines.reduce(Double.infinity) { nearest, line in
            min(nearest, abs(lesson.elements[line.element].element.box.midY - height))
        }
    }
}
