// LineWords: the words that stand around mathematics on a line.
// Spec: docs/builtin.md (what it stays silent about)

/// The words that stand around mathematics on a line, in English and Chinese.
enum LineWords {
    /// A line that begins so states a case or a given thing, not a step.
    static let hypotheses: Set<String> = [
        "assume", "assuming", "consider", "find", "for", "given", "guess", "if", "let", "maybe", "prove", "show",
        "simplify", "solve", "suppose", "try", "when", "where", "whether",
    ]
    private static let chineseHypotheses: [Character] = ["设", "若", "如", "假", "当", "试", "令", "求", "已", "把", "将"]

    /// Words that number a step: `Step 2`.
    static let counters: Set<String> = ["eq", "equation", "line", "no", "step"]

    /// Words that lead into a step, or join two.
    private static let connectors: Set<String> = [
        "also", "because", "finally", "gives", "get", "hence", "means", "next", "now", "since", "so", "that", "then",
        "therefore", "thus", "we", "which", "have", "simplified", "check", "i", "solution", "answer", "proof", "it",
        "follows", "is", "the",
    ]
    private static let chineseConnectors: [Character] = [
        "得", "解", "所", "因", "则", "即", "故", "于", "答", "化", "移", "合", "去", "系", "原", "步", "那", "又", "验", "两",
    ]
    private static let chineseSpoilers: [Character] = ["半", "倍", "的", "设", "当", "若", "假", "不", "约", "余", "或", "每"]

    /// Whether a line that begins with this word is no step.
    static func isHypothesis(_ word: String) -> Bool {
        if hypotheses.contains(word) { return true }
        guard let first = word.first else { return false }
        return chineseHypotheses.contains(first)
    }

    /// Whether the word sets the equation behind it as an exercise: `solve`, `求`.
    static func setsAnExercise(_ word: String) -> Bool { word == "solve" || word == "find" || word.hasPrefix("求") }

    /// Whether the word may stand between `solve` and the equation.
    static func isExerciseFiller(_ word: String) -> Bool { word == "the" || word == "this" || word == "equation" }

    /// Whether the word may stand before a step without changing what the step states.
    static func isConnector(_ word: String) -> Bool {
        if connectors.contains(word) { return true }
        guard let first = word.first, !first.isASCII else { return false }
        if word.contains(where: chineseSpoilers.contains) { return false }
        return word == "以" || word.contains(where: chineseConnectors.contains)
    }

    /// `or`, `and` between two cases.
    static func isAlternative(_ word: String) -> Bool {
        word == "or" || word == "and" || word == "或" || word == "或者" || word == "和"
    }

    /// Words that make the number beside them another number.
    private static let spoilers: Set<String> = [
        "about", "and", "approximately", "around", "between", "billion", "by", "divided", "double", "dozen", "dozens",
        "fewer", "from", "greater", "half", "halves", "hundred", "hundreds", "into", "k", "less", "million", "minus",
        "mod", "more", "of", "over", "per", "percent", "plus", "quarter", "r", "remainder", "remaining", "rest",
        "roughly", "squared", "subtract", "subtracted", "than", "third", "thirds", "thousand", "thousands", "thrice",
        "times", "to", "triple", "twice", "multiplied", "added", "cubed", "power", "log", "sin", "cos", "tan", "sqrt",
        "root", "square", "cube", "max", "min", "gcd", "lcm", "negative", "point", "base",
    ]
    private static let chineseSpoilingScalars: [Character] = [
        "半", "倍", "余", "约", "万", "千", "百", "亿", "十", "多", "少", "的", "加", "减", "乘", "除", "比", "分", "负", "点", "每",
    ]

    /// Whether a number beside this word may mean something else.
    static func isSpoiler(_ word: String) -> Bool {
        if spoilers.contains(word) { return true }
        guard let first = word.first, !first.isASCII else { return false }
        return word.contains(where: chineseSpoilingScalars.contains)
    }

    /// Units of the same kind of thing in different sizes: an equality across them is not one of numbers.
    private static let convertible: Set<String> = [
        "cent", "cents", "cm", "day", "days", "dime", "dimes", "dollar", "dollars", "feet", "fortnight", "ft", "g",
        "gallon", "gallons", "gram", "grams", "h", "hour", "hours", "hr", "hrs", "in", "inch", "inches", "kg", "km",
        "kilogram", "kilograms", "kilometer", "kilometers", "l", "lb", "lbs", "liter", "liters", "m", "meter", "meters",
        "mile", "miles", "min", "mins", "minute", "minutes", "ml", "mm", "month", "months", "nickel", "nickels",
        "ounce",
        "ounces", "oz", "pennies", "penny", "pint", "pints", "pound", "pounds", "quart", "quarters", "s", "sec",
        "second", "seconds", "week", "weeks", "yard", "yards", "year", "years", "yr", "yrs",
    ]
    private static let chineseConvertible: Set<String> = [
        "元", "角", "分", "米", "厘米", "分米", "毫米", "千米", "公里", "克", "千克", "公斤", "吨", "斤", "升", "毫升", "秒", "分钟", "小时", "天",
        "周", "月", "年", "时", "平方米", "平方厘米", "平方分米", "立方米", "立方厘米", "公顷",
    ]

    /// Whether the word is a unit that converts to others.
    static func isConvertibleUnit(_ word: String) -> Bool {
        convertible.contains(word) || chineseConvertible.contains(word)
    }

    private static let roundings: Set<String> = [
        "about", "approximately", "around", "estimate", "nearest", "remainder", "round", "rounded", "rounding",
        "rounds", "roughly",
    ]

    /// Whether the line speaks of rounded values.
    static func speaksOfRounding(_ word: String) -> Bool {
        roundings.contains(word) || word.contains("约") || word.contains("四舍五入") || word.contains("余")
            || word.contains("进一") || word.contains("去尾")
    }
}
