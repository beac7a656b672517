// QuestionCues: the words by which a question tells what it wants.
// Spec: docs/relevance.md (question)

/// The words by which a question tells what it wants.
///
/// To teach the filter a new kind of question, add a row to ``all``.
enum QuestionCues {
    /// Words that say what is wanted, and what that is.
    struct Cue {
        let terms: Set<Term>
        let phrases: [[UInt8]]
        let shapes: TextShape
        let intents: QuestionReader.Intent

        init(_ words: String, phrases: [String] = [], shapes: TextShape = [], intents: QuestionReader.Intent = []) {
            terms = Set(words.split(separator: " ").compactMap { TermReader.term(String($0)) })
            self.phrases = phrases.map { Array($0.utf8) }
            self.shapes = shapes
            self.intents = intents
        }

        /// Whether a question has one of the words or phrases.
        func fits(words: Set<Term>, text: PhraseSearch) -> Bool {
            !terms.isDisjoint(with: words) || phrases.contains { text.contains($0) }
        }
    }

    static let all: [Cue] = [
        // The shape of the answer.
        Cue(
            "price cost fee pay salary budget balance fare charge dollar money",
            phrases: ["how much", "多少钱", "价", "费用", "金额"],
            shapes: .money),
        Cue("amount total worth value", shapes: [.money, .quantity, .number]),
        Cue(
            "date day birthday birthdate expire deadline published released",
            phrases: ["when ", "日期", "哪天", "几号", "什么时候", "何时"],
            shapes: .date),
        Cue("month", phrases: ["几月", "哪月"], shapes: .date),
        Cue("year", phrases: ["哪年", "哪一年", "年份"], shapes: [.year, .date]),
        Cue("time hour clock", phrases: ["几点", "时间", "when "], shapes: [.time, .duration]),
        Cue("duration minute second timer", phrases: ["how long", "多久", "多长时间"], shapes: [.duration, .time]),
        Cue("percent percentage discount", phrases: ["%", "百分", "比例", "折"], shapes: .percent),
        Cue("phone telephone", phrases: ["电话", "手机号"], shapes: .phone),
        Cue("email mail", phrases: ["邮箱", "邮件"], shapes: .email),
        Cue("website url", phrases: ["网址", "网站"], shapes: .address),
        Cue("version", phrases: ["版本"], shapes: .version),
        Cue("distance mileage radius height length", phrases: ["how far", "多远", "距离", "多高", "多长"], shapes: .length),
        Cue("temperature degree", phrases: ["温度", "气温", "几度"], shapes: .temperature),
        Cue("weight size calorie speed volume capacity", phrases: ["多重", "多大", "重量", "大小"], shapes: .quantity),
        Cue("rating score latitude longitude", phrases: ["评分", "得分"], shapes: [.decimal, .fraction, .quantity]),
        Cue(
            "many number count quantity", phrases: ["多少", "几个", "几种", "几次", "数量", "几"], shapes: [.number, .fraction],
            intents: .count),
        Cue("age level", phrases: ["how old", "几岁", "年龄"], shapes: .number),
        Cue(
            "location city country place address area destination",
            phrases: ["from where", "地点", "哪里", "哪个城市", "地址"], shapes: [.place, .names]),
        Cue("name who whom author artist", phrases: ["谁", "名字", "叫什么"], shapes: .names),
        // The kind of question.
        Cue(
            "option options application applications list types", phrases: ["what are", "which are", "哪些", "列出"],
            intents: .enumeration),
        Cue(
            "most least highest lowest largest smallest sum total altogether more less fewer difference maximum minimum",
            phrases: ["最", "一共", "总共", "相差"], intents: .comparison),
        Cue("selected chosen checked enabled tab", phrases: ["选中", "选择了", "当前"], intents: .choice),
        Cue(
            "heading title", phrases: ["application name", "app name", "name of the app", "name of app", "标题", "应用名"],
            intents: .title),
        Cue(
            "icon button tap press click open close",
            phrases: [
                "where can i", "where do i", "where is the", "how do i", "how can i", "how to", "怎么", "如何", "在哪", "按钮",
                "图标", "点击",
            ],
            intents: .action),
        Cue(
            "wrong error mistake fail failed problem invalid", phrases: ["why", "为什么", "错", "失败", "不对"],
            intents: .trouble),
    ]

    /// What a quotation mark does.
    enum QuotationMark {
        case closes
        case opens
        case toggles
    }

    /// Quotation marks, Western and Chinese.
    static let quotationMarks: [Character: QuotationMark] = [
        "\"": .toggles, "“": .opens, "”": .closes, "「": .opens, "」": .closes, "《": .opens, "》": .closes,
        "『": .opens, "』": .closes,
    ]

    /// Whether a term says nothing about what is looked for.
    static func isStopTerm(_ term: Term) -> Bool { stopTerms.contains(term) }

    private static let stopTerms: Set<Term> = {
        let words = """
            a an the of in on at to for from by with and or as is are was were be been am do does did done has have had \
            what which who whom whose when where why how that this these those there here it its i me my we our you \
            your he she his her they their can could will would should shall may might must not no if than then so \
            many much any some all about into out up per give given mention mentioned display displayed show shown \
            screen find open different available want need use
            """
        var terms = Set(words.split(separator: " ").compactMap { TermReader.term(String($0)) })
        for phrase in [
            "的", "是", "了", "在", "和", "与", "有", "什么", "么", "什", "吗", "呢", "哪", "个", "请", "被", "为", "于", "中", "谁", "多少",
            "少", "几", "怎", "怎么", "如何", "为什", "哪些", "些", "哪个", "何", "这", "那",
        ] {
            terms.formUnion(TermReader.terms(in: phrase).suffix(1))
        }
        return terms
    }()
}
