// RelevanceFilter: how well each element of a screen fits a question.
// Spec: docs/relevance.md

import TutorProtocol

/// How well each element of a screen fits a question.
///
/// Lexical and structural, n log n, no model.
///
/// Each rule is one method called from ``init(_:query:weights:)``; its numbers are in ``RelevanceWeights``, its words in
/// ``QuestionCues``, ``IconName`` and ``UnitWords``.
struct RelevanceFilter {
    /// How many texts after a label can belong to it.
    static let reachUnderLabel = 24

    let layout: PageLayout
    let question: QuestionReader
    var board: RelevanceBoard

    let query: RelevanceQuery
    let weights: RelevanceWeights
    /// How far each element carries words of the question, 0 to about 1.
    private var wordScores: [Double]
    /// How far each element could be the label of an answer.
    private var labelScores: [Double]
    /// How near each element is to such a label.
    private var nearLabel: [Double]

    init(_ layout: PageLayout, query: RelevanceQuery, weights: RelevanceWeights) {
        self.layout = layout
        self.query = query
        self.weights = weights
        question = QuestionReader(query.question)
        board = RelevanceBoard(count: layout.elements.count)
        wordScores = Array(repeating: 0, count: layout.elements.count)
        labelScores = wordScores
        nearLabel = wordScores

        addWords()
        addIcons()
        addLabels()
        addShapes()
        addAttention()
        addTroubles()
        addState()
        addTitle()
        addPriors()
        addGroups()
    }

    // MARK: - Words

    /// Words of the question, the rarer on this screen the more.
    private mutating func addWords() {
        let asked = question.asked
        guard !asked.isEmpty else { return }
        var lengths: [Int] = []
        var spans: [Int] = []
        var hits: [[Int]] = []
        var frequency = Array(repeating: 0, count: asked.count)
        var lastSeenIn = Array(repeating: -1, count: asked.count)
        for (position, text) in layout.texts.enumerated() {
            var found: [Int] = []
            let terms = TermReader.terms(in: text)
            for term in terms {
                guard let place = question.places[term], lastSeenIn[place] != position else { continue }
                lastSeenIn[place] = position
                found.append(place)
            }
            for place in found { frequency[place] += 1 }
            // About four CJK characters, and so eight terms, say what a word says.
            let ideographic = terms.count { $0.form != .word }
            lengths.append(terms.count - ideographic + (ideographic + 7) / 8)
            spans.append(terms.count)
            hits.append(found)
        }
        let count = Double(layout.elements.count)
        let values = asked.indices.map { place in
            guard frequency[place] > 0 else { return 0.0 }
            let rarity = Self.logarithm(1 + count / Double(frequency[place]))
            return (rarity + weights.rarity * rarity * rarity)
                * (asked[place].term.form == .character ? weights.character : 1)
                * (asked[place].isQuoted ? weights.quoted : 1)
        }
        let total = values.reduce(0, +)
        guard total > 0 else { return }
        for (position, found) in hits.enumerated() where !found.isEmpty {
            let share = found.reduce(0.0) { $0 + values[$1] } / total
            let length = Double(max(1, lengths[position]))
            let damping = max(0.3, 1 - weights.lengthDamping * Self.logarithm(length))
            wordScores[position] = share
            let coverage = min(1, Double(found.count) / Double(max(1, spans[position])))
            labelScores[position] = share * (weights.looseLabel + (1 - weights.looseLabel) * coverage)
            if !question.intents.contains(.action) {
                board.add(weights.mereLabel * share * max(0, 2 * coverage - 1), to: position, for: .prior)
            }
            for place in found {
                board.add(weights.words * damping * values[place] / total, to: position, for: .word(place))
            }
        }
    }

    // MARK: - Icons

    /// Pictures and buttons that are what the question calls them; they also label what stands beside them.
    private mutating func addIcons() {
        guard !question.icons.isEmpty else { return }
        let isAction = question.intents.contains(.action)
        for position in layout.elements.indices where layout.kind(position) == .image || isAction {
            guard isAction || !layout.isSystemBar[position] else { continue }
            let words = Set(TermReader.terms(in: layout.texts[position]))
            let isPicture = layout.kind(position) == .image
            for icon in question.icons {
                if icon.isShown(by: words) {
                    // A sentence with the word in it is not the button.
                    let share = isPicture ? 1 : weights.namedIcon / Double(max(1, words.count))
                    board.add(
                        share * (isAction ? weights.icon : weights.iconAsLabel), to: position, for: .icon(icon.name))
                    labelScores[position] = max(labelScores[position], 0.5)
                }
                if isAction, isPicture, icon.sits(at: layout.box(position)) {
                    board.add(weights.iconCorner, to: position, for: .icon(icon.name))
                }
            }
        }
    }

    // MARK: - Labels

    /// What stands next to a label.
    private mutating func addLabels() {
        for position in layout.elements.indices where labelScores[position] > 0 {
            let force = labelScores[position]
            let neighbours = layout.neighbours[position]
            give(force * weights.rightOfLabel, to: neighbours.right)
            give(force * weights.belowLabel, to: neighbours.below)
            give(force * weights.aboveLabel, to: neighbours.above)
            give(force * weights.leftOfLabel, to: neighbours.left)
        }
        for row in layout.rows {
            guard let force = row.map({ labelScores[$0] }).max(), force > 0 else { continue }
            for position in row where layout.hasText(position) && labelScores[position] < force {
                give(force * weights.sameRow, to: position)
            }
        }
        var force: [Container: Double] = [:]
        for position in layout.elements.indices {
            guard let container = container(position), labelScores[position] > force[container] ?? 0 else { continue }
            force[container] = labelScores[position]
        }
        for position in layout.elements.indices {
            if let container = container(position), let force = force[container], force > labelScores[position] {
                give(force * weights.sameContainer, to: position)
            }
            board.add(nearLabel[position], to: position, for: .labelOf)
        }
        addUnderLabel()
    }

    /// What comes after the best label, where the question asks for all of something.
    private mutating func addUnderLabel() {
        guard question.intents.contains(.enumeration) else { return }
        let texts = layout.rows.joined().filter { layout.hasText($0) && layout.kind($0) != .image }
        guard let label = texts.max(by: { labelScores[$0] < labelScores[$1] }), labelScores[label] > 0,
            let place = texts.firstIndex(of: label)
        else { return }
        for (distance, position) in texts[(place + 1)...].prefix(Self.reachUnderLabel).enumerated() {
            let nearness = 1 - Double(distance) / Double(Self.reachUnderLabel)
            board.add(weights.underLabel * nearness, to: position, for: .underLabel)
        }
    }

    private mutating func give(_ amount: Double, to position: Int?) {
        guard let position else { return }
        nearLabel[position] = max(nearLabel[position], amount)
    }

    private enum Container: Hashable {
        case parent(ElementID)
        case region(String)
    }

    private func container(_ position: Int) -> Container? {
        let element = layout.elements[position].element
        return element.parent.map(Container.parent) ?? element.region.map(Container.region)
    }

    // MARK: - Shape

    /// Texts in the shape that the question asks for.
    private mutating func addShapes() {
        guard !question.shapes.isEmpty else { return }
        for position in layout.elements.indices where layout.hasText(position) && layout.kind(position) != .image {
            let shape = TextShapeReader.shape(of: layout.texts[position])
            let common = shape.intersection(question.shapes)
            guard !common.isEmpty else { continue }
            var amount = weights.shape + weights.shapeAtLabel * min(1, nearLabel[position] + wordScores[position])
            if shape.contains(.bare) { amount += weights.bareShape }
            board.add(amount, to: position, for: .answerShape(common))
        }
    }

    // MARK: - Priors

    /// What is rarely wanted, whatever the question.
    private mutating func addPriors() {
        let count = Double(max(1, layout.elements.count))
        for (rank, position) in layout.rows.joined().enumerated() {
            board.add(weights.order * Double(rank) / count, to: position, for: .prior)
            if !layout.hasText(position) {
                board.add(weights.empty, to: position, for: .prior)
            } else if layout.kind(position) == .image {
                board.add(weights.picture, to: position, for: .prior)
            }
            if layout.isSystemBar[position], !question.intents.contains(.action) {
                board.add(weights.systemBar, to: position, for: .prior)
            }
            if layout.isDuplicate[position] { board.add(weights.duplicate, to: position, for: .prior) }
        }
    }

    // MARK: - Groups

    /// Alike elements together, where the question asks for all of something.
    private mutating func addGroups() {
        guard !question.intents.isDisjoint(with: [.enumeration, .count, .comparison]) else { return }
        let scores = board.scores
        for group in layout.groups {
            let best = group.map { scores[$0] }.max() ?? 0
            for position in group where layout.kind(position) != .image {
                board.add(weights.member, to: position, for: .member)
                let share = (best - scores[position]) * weights.groupShare
                if share > 0 { board.add(share, to: position, for: .group) }
            }
        }
    }

    /// The logarithm to base 2, near enough for a weight (the core has no mathematics library).
    static func logarithm(_ value: Double) -> Double {
        guard value > 0 else { return 0 }
        let mantissa = value.significand
        return Double(value.exponent) + (mantissa - 1) * (1.3465 - 0.3465 * mantissa)
    }
}
