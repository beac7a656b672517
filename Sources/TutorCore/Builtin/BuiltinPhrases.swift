// BuiltinPhrases: what the built-in tutor says, one table a language.
// Spec: docs/builtin.md (languages)

/// What the built-in tutor says.
///
/// A language is one value of this type.
///
/// `{name}` marks a place that a rule fills. No sentence holds a digit: below the highest hint level no number of the
/// exercise may appear.
public struct BuiltinPhrases: Sendable, Hashable {
    /// What is said about one kind of slip.
    public struct Slip: Sendable, Hashable {
        /// A question back, level 0.
        public var question: String
        /// The rule behind it, level 1.
        public var concept: String
        /// The name of the slip in a sentence, level 2.
        public var name: String
        /// The name in a word or two, for summaries.
        public var short: String
    }

    /// What is said about one kind of next step.
    public struct Step: Sendable, Hashable {
        /// A question back, level 0.
        public var question: String
        /// The rule behind it, level 1.
        public var concept: String
        /// The step in a sentence, level 2.
        public var name: String
        /// The step in a word or two, for summaries.
        public var short: String
    }

    var slips: [SlipKind: Slip]
    var otherSlip: Slip
    var nextSteps: [NextStep: Step]
    var anyStep: Step

    var lineDoesNotFollow: String
    var lineIsWrong: String
    var stepInLineDoesNotFollow: String
    var example: String
    var correction: String
    var solution: String
    var tryYourAnswer: String
    var answerDoesNotFit: String
    var solved: String
    var writeItHere: String
    var handItIn: String
    var rightSoFar: String
    var doubtfulLine: String
    var oneSolution: String
    var noMistakeFound: String
    var begin: String

    var invalidField: String
    var errorOfField: String
    var errorAlone: String
    var requiredField: String
    var buttonWaits: String
    var buttonOff: String

    var itIsHere: String
    var theyAreHere: String
    var notOnScreen: String
    var theseFit: String
    var needsModel: String
    var nothingFits: String

    var sumHinted: String
    var sumWrong: String
    var sumWrongAnswer: String
    var sumSolved: String
    var sumDoubtful: String
    var sumOneSolution: String
    var sumNoMistake: String
    var sumRightSoFar: String
    var sumBegin: String
    var sumError: String
    var sumRequired: String
    var sumButton: String
    var sumWhere: String
    var sumRelevant: String
    var sumNothing: String

    var openingQuote: String
    var closingQuote: String
    var comma: String
    var arrow: String

    /// The table for a BCP 47 tag; languages without one get English.
    public static func phrases(for language: String) -> BuiltinPhrases {
        let primary = language.lowercased().prefix { $0 != "-" && $0 != "_" }
        return primary == "zh" || primary == "cmn" ? chinese : english
    }

    /// What is said about a kind of slip.
    public func slip(_ kind: SlipKind) -> Slip { slips[kind] ?? otherSlip }

    /// What is said about a kind of step.
    public func step(_ next: NextStep) -> Step { nextSteps[next] ?? anyStep }

    func quote(_ text: String) -> String { openingQuote + text + closingQuote }

    func steps(_ lines: [String]) -> String { lines.map { "`\($0)`" }.joined(separator: arrow) }
}
