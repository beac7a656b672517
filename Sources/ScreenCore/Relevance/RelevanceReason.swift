// RelevanceReason: what speaks for an element, in a short word.
// Spec: docs/relevance.md (signals)

/// What speaks for an element.
///
/// Turned into a word only for those that are shown.
enum RelevanceReason: Hashable {
    case answerShape(TextShape)
    case changed
    case choosable
    case chosen
    case dialog
    case error
    case errorNeighbour
    case focus
    case group
    case heading
    case icon(String)
    case labelOf
    case member
    case operable
    case prior
    case title
    case touched
    case underLabel
    case word(Int)

    /// The word; nil for what is no reason to be told.
    func name(in question: QuestionReader) -> String? {
        switch self {
        case .answerShape(let shape): "shape:" + shape.name
        case .changed: "changed"
        case .choosable: "choosable"
        case .chosen: "chosen"
        case .dialog: "dialog"
        case .error: "error"
        case .errorNeighbour: "near-error"
        case .focus: "focus"
        case .group: "group"
        case .heading: "heading"
        case .icon(let name): "icon:" + name
        case .labelOf: "label-of"
        case .member: "member"
        case .operable: "operable"
        case .prior: nil
        case .title: "title"
        case .touched: "touched"
        case .underLabel: "under-label"
        case .word(let place): "word:" + question.asked[place].text
        }
    }
}

/// The running scores of a screen's elements, with what made them.
struct RelevanceBoard {
    /// Reasons that are told for one element.
    static let maximumReasons = 4

    private struct Entry {
        let position: Int
        let reason: RelevanceReason
        let amount: Double
    }

    private(set) var scores: [Double]
    private var entries: [Entry] = []

    init(count: Int) { scores = Array(repeating: 0, count: count) }

    /// Adds to an element's score.
    mutating func add(_ amount: Double, to position: Int, for reason: RelevanceReason) {
        guard amount != 0 else { return }
        scores[position] += amount
        if amount > 0, reason != .prior {
            entries.append(Entry(position: position, reason: reason, amount: amount))
        }
    }

    /// For each element the words for what spoke for it, strongest first.
    func reasons(in question: QuestionReader) -> [[String]] {
        var reasons: [[String]] = Array(repeating: [], count: scores.count)
        let strongest = entries.enumerated().sorted { ($1.element.amount, $0.offset) < ($0.element.amount, $1.offset) }
        for (_, entry) in strongest where reasons[entry.position].count < Self.maximumReasons {
            guard let name = entry.reason.name(in: question), !reasons[entry.position].contains(name) else { continue }
            reasons[entry.position].append(name)
        }
        return reasons
    }
}
