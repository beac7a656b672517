// RelevanceWeights: every number of the relevance filter, with its reason.
// Spec: docs/relevance.md (weights)

/// Every number of the relevance filter.
///
/// An element's score is the sum of what its signals give.
///
/// The scale: 1 is a text that has every word of the question that is on the screen at all.
public struct RelevanceWeights: Sendable, Hashable {
    // Words of the question.

    /// A text with all words of the question that are on the screen.
    public var words = 1.0
    /// Share of the words that a text loses for each doubling of its length: long texts hit words by chance.
    public var lengthDamping = 0.04
    /// How much more a word in quotation marks counts: it is copied from the screen.
    public var quoted = 1.2
    /// A single CJK character against a pair: characters are in too many words.
    public var character = 0.75

    /// How much faster than the logarithm a word's value grows with its rarity: names that are everywhere tell little.
    public var rarity = 1.5
    /// A text that has nothing but words of the question: it is the label, and the answer stands next to it.
    public var mereLabel = -0.4

    // What stands next to a text with words of the question (label and value).

    /// To the right on the same row: the usual place of a value.
    public var rightOfLabel = 0.4
    /// Below: the value of a stacked label.
    public var belowLabel = 0.4
    /// Above: a large value over a small label.
    public var aboveLabel = 0.26
    /// To the left: a count before its noun.
    public var leftOfLabel = 0.5
    /// Anywhere on the same row, such as the cells of a table.
    public var sameRow = 0.2
    /// Under the best label, when the question asks for all of something; falls off with the number between.
    public var underLabel = 0.35
    /// In the same container or region.
    public var sameContainer = 0.3
    /// Share of a label's force that a text keeps which says more than the label.
    public var looseLabel = 0.45

    // The shape of the answer.

    /// A text in the shape that the question asks for.
    public var shape = 0.45
    /// The same where the text is hardly more than the value.
    public var bareShape = 0.29
    /// A text in that shape next to a label: both together are hardly chance.
    public var shapeAtLabel = 0.6

    // Icons.

    /// A picture that is what the question calls it, when the question is about operating.
    public var icon = 2.5
    /// The same in another question: the picture then labels what stands beside it.
    public var iconAsLabel = 0.15
    /// Share of that for a button or text that is called so by one word; less for each further word.
    public var namedIcon = 0.35
    /// A picture without a telling name in the corner where such an icon sits.
    public var iconCorner = 0.24
    /// What can be operated, when the question is about operating.
    public var operable = 0.15

    // What the student was doing.

    /// At the point of attention; falls off with distance.
    public var focus = 0.8
    /// Distance from the attention at which half is left, in screens.
    public var focusReach = 0.12
    /// An error or alert; more when the question is about what is wrong.
    public var error = 0.6
    /// The field that an error stands at.
    public var errorNeighbour = 0.3
    /// In an open dialog: the rest cannot be operated now.
    public var dialog = 0.5
    /// Changed since the last turn.
    public var changed = 0.3
    /// Operated last; falls off with distance like the focus.
    public var touched = 0.3
    /// Chosen or ticked, when the question asks for the choice.
    public var chosen = 0.6

    // The kind of question.

    /// What can be chosen, when the question asks for the choice and nobody said what is chosen.
    public var choosable = 0.15

    /// One of a group of alike elements, when the question asks for all of something.
    public var member = 0.18
    /// Share of the best member's score that its whole group gets then.
    public var groupShare = 0.3
    /// At the head of the page, when the question asks for its name.
    public var title = 0.85
    /// A heading.
    public var heading = 0.1

    // What is rarely wanted.

    /// A picture that only has a description.
    public var picture = -0.29
    /// Nothing written on it.
    public var empty = -1.0
    /// The system's own bars.
    public var systemBar = -0.6
    /// A text that already stands elsewhere.
    public var duplicate = -0.18
    /// From the first element to the last in reading order: the upper ones matter a little more.
    public var order = -0.08

    // The budget.

    /// How much wider the budget is for questions that list, count or compare.
    public var wideBudget = 1.6

    /// The tuned weights.
    public init() {}
}
