// QuestionIntent: what kind of question was asked.
// Spec: docs/builtin.md (the order of the rules)

public import TutorProtocol

/// What kind of question was asked, read from a few plain words in English and Chinese.
public struct QuestionIntent: Sendable, Hashable {
    /// Whether it asks where something is.
    public let asksWhere: Bool
    /// Whether it asks how something is done on the screen.
    public let asksHow: Bool
    /// Whether it asks for a fact: what, when, who, how much.
    public let asksFact: Bool
    /// Whether it speaks of trouble or of the work itself: wrong, stuck, next, check.
    public let isAboutWork: Bool
    /// Whether it speaks of a form: submit, field, required.
    public let isAboutForm: Bool

    private let words: Set<String>
    private let pairs: Set<String>

    /// Reads a question.
    public init(_ question: String) {
        let lowered = question.lowercased()
        func has(_ list: [String]) -> Bool { list.contains { lowered.holds($0) } }
        let isAboutWork = has(Self.work)
        self.isAboutWork = isAboutWork
        isAboutForm = has(Self.forms)
        asksWhere = has(Self.places) && !has(Self.placesInWork)
        asksHow = has(Self.ways)
        asksFact = has(Self.facts) && !isAboutWork
        (words, pairs) = Self.terms(lowered)
    }

    private static let places = [
        "where is", "where's", "where are", "where do i find", "where can i", "where do i", "which button", "在哪", "哪里",
        "哪儿", "什么地方",
        "找不到", "哪个按钮",
    ]
    /// A place in the work, not on the screen: "where did I go wrong", "where do I start"; 错题 is a collection.
    private static let placesInWork = [
        "mistake", "wrong", "the error", "an error", "do i start", "should i start", "can i start",
        "do i begin", "should i begin",
        "哪里错", "哪儿错", "错在", "出错", "做错", "算错", "填错", "写错", "错误在",
        "哪里开始", "哪儿开始", "哪里入手", "哪里不对", "哪儿不对",
    ]
    private static let ways = ["how do i", "how can i", "how to", "怎么", "怎样", "如何"]
    private static let facts = [
        "what is", "what's", "what are", "what does", "when", "who", "how much", "how many", "how long", "which", "多少",
        "几", "谁",
        "什么时候", "是什么", "哪", "何时",
    ]
    private static let forms = [
        "submit", "form", "field", "required", "sign up", "sign in", "log in", "register", "fill", "send", "save",
        "提交", "表单", "表格", "填", "必填", "报名", "注册", "登录", "发送", "保存", "按钮",
    ]
    private static let work = [
        "wrong", "mistake", "error", "stuck", "next", "check", "correct", "right", "help", "hint", "why", "solve",
        "solution", "step", "can't", "cannot", "错", "对吗", "对不对", "检查", "下一步", "提示", "为什么", "帮", "解", "不能", "不会", "做",
    ]
    private static let commonWords: Set<String> = [
        "about", "and", "are", "button", "can", "cant", "could", "does", "field", "find", "for", "from", "have", "how",
        "into", "is", "its", "on", "page", "please", "screen", "should", "that", "the", "there", "this", "to", "was",
        "what", "whats", "when", "where", "wheres", "which", "who", "why", "will", "with", "you", "your",
    ]
    private static let commonPairs: Set<String> = [
        "在哪", "哪里", "怎么", "什么", "怎样", "如何", "按钮", "这个", "我的", "哪个", "请问", "哪儿", "一个", "里的", "可以",
    ]

    /// Latin words of two letters and more, and pairs of neighbouring ideographs.
    private static func terms(_ text: String) -> (words: Set<String>, pairs: Set<String>) {
        var words: Set<String> = []
        var pairs: Set<String> = []
        var word = ""
        var previous: Character?
        func flush() {
            if word.count > 1, !commonWords.contains(word) { words.insert(stem(word)) }
            word = ""
        }
        for character in text {
            if character.isASCII, character.isLetter || character.isNumber {
                word.append(character)
                previous = nil
                continue
            }
            flush()
            guard let scalar = character.unicodeScalars.first, SymbolTable.isIdeograph(scalar) else {
                previous = nil
                continue
            }
            if let previous {
                let pair = String([previous, character])
                if !commonPairs.contains(pair) { pairs.insert(pair) }
            }
            previous = character
        }
        flush()
        return (words, pairs)
    }

    private static func stem(_ word: String) -> String {
        word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word
    }

    /// How many terms of the question an element's own texts hold.
    public func overlap(with element: Element) -> Int {
        var count = 0
        for text in [element.content, element.label ?? "", element.placeholder ?? ""] where !text.isEmpty {
            count = max(count, overlap(withText: text))
        }
        return count
    }

    /// How many terms of the question a text holds.
    func overlap(withText text: String) -> Int {
        let terms = Self.terms(text.lowercased())
        return terms.words.intersection(words).count + terms.pairs.intersection(pairs).count
    }
}
