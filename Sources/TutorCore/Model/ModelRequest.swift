// ModelRequest: what a turn asks of a model.
// Spec: docs/architecture.md (models)

public import TutorProtocol

/// One message of a prompt.
public struct ModelMessage: Sendable, Hashable {
    /// Who speaks.
    public enum Role: String, Sendable, Hashable, CaseIterable {
        case assistant
        case system
        case user
    }

    /// Who speaks.
    public var role: Role
    /// What is said.
    public var text: String

    /// Makes a message.
    public init(role: Role, text: String) {
        self.role = role
        self.text = text
    }
}

/// What a turn asks of a model: the prompt for those that read text, the lesson for the built-in tutor.
public struct ModelRequest: Sendable, Hashable {
    /// The prompt.
    ///
    /// Its first messages stay the same byte for byte from turn to turn, for the endpoint's cache.
    public var messages: [ModelMessage]
    /// Most tokens of the answer.
    public var maximumOutputTokens: Int
    /// The same question in structured form.
    public var lesson: Lesson

    /// Makes a request.
    public init(messages: [ModelMessage], maximumOutputTokens: Int, lesson: Lesson) {
        self.messages = messages
        self.maximumOutputTokens = maximumOutputTokens
        self.lesson = lesson
    }
}

/// One element as a turn may point at it.
public struct AliasedElement: Sendable, Hashable {
    /// The small integer that stands for it in prompts and answers.
    public var alias: Int
    /// The element, normalised.
    public var element: Element
    /// Whether it changed since the last turn.
    public var isChanged: Bool

    /// Makes an entry.
    public init(alias: Int, element: Element, isChanged: Bool) {
        self.alias = alias
        self.element = element
        self.isChanged = isChanged
    }
}

/// The question and the screen in structured form.
///
/// Holds no secure element.
public struct Lesson: Sendable, Hashable {
    /// What the student asks.
    public var question: String
    /// The language of the answer, a BCP 47 tag.
    public var language: String
    /// The granted hint level, 0 to 4.
    public var hintLevel: Int
    /// Every element of the pinned screen that may be shown, in reading order.
    public var elements: [AliasedElement]
    /// The aliases that fit the question, best first.
    public var relevant: [Int]
    /// Where the student's attention is.
    public var focus: Focus?

    /// Makes a lesson.
    public init(
        question: String, language: String, hintLevel: Int, elements: [AliasedElement], relevant: [Int], focus: Focus?
    ) {
        self.question = question
        self.language = language
        self.hintLevel = hintLevel
        self.elements = elements
        self.relevant = relevant
        self.focus = focus
    }
}
