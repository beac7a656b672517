// ScreenSelector: chooses which elements of a screen a model gets, and writes them.
// Spec: docs/relevance.md (budget), docs/screen.md (rows)

import TutorProtocol

/// Chooses which elements of a screen a model gets for a question, within a budget of tokens, and writes them as rows.
public struct ScreenSelector: Sendable {
    /// Tokens for the screen's own text.
    ///
    /// Default 250: carries the answers of 99 of 100 questions on phone screens.
    public var budget: Int
    /// How tokens are counted.
    public var estimator: TokenEstimator
    /// The numbers of the filter.
    public var weights: RelevanceWeights

    /// Share of the budget that one element may take; longer texts are cut.
    private static let largestShare = 0.6
    /// Tokens of one line that tells how many like rows were left out.
    private static let elisionTokens = 12
    /// Budget from which room is kept for such a line.
    private static let elisionBudget = 200
    /// Tokens of the line break or bar after an element.
    private static let separatorTokens = 1

    /// Makes a selector; the defaults are the server's.
    public init(
        budget: Int = 250, estimator: TokenEstimator = TokenEstimator(), weights: RelevanceWeights = RelevanceWeights()
    ) {
        self.budget = budget
        self.estimator = estimator
        self.weights = weights
    }

    /// Chooses and writes.
    ///
    /// Hidden and secure elements are never sent; a screen within the budget is sent whole.
    public func select(
        _ screen: ScreenState, query: RelevanceQuery, aliases: inout AliasTable
    ) -> ScreenSelection {
        var query = query
        query.focus = query.focus ?? screen.focus
        let layout = PageLayout(screen.elements.filter(\.isShowable))
        let filter = RelevanceFilter(layout, query: query, weights: weights)
        let budget = budget(for: filter.question)

        var page = page(of: layout, query: query, budget: budget)
        let costs = layout.elements.indices.map { cost(of: $0, on: page) }
        let scores = filter.board.scores
        let order = scores.indices.sorted { (scores[$1], $0) < (scores[$0], $1) }
        let rowBudget = max(0, budget - estimator.tokens(in: HeaderLine.title(of: screen)))

        let isWhole = costs.reduce(0, +) <= rowBudget
        let reserve = isWhole || budget < Self.elisionBudget ? 0 : Self.elisionTokens
        page.isSent = choose(order, costs: costs, budget: rowBudget - reserve)
        let writer = write(&page, order: order, costs: costs, budget: rowBudget, aliases: &aliases)

        var leftOut: [String: Int] = [:]
        for element in screen.elements where !element.isShowable {
            leftOut[element.element.states.contains(.secure) ? "secure" : "hidden", default: 0] += 1
        }
        for position in layout.elements.indices where !page.isSent[position] {
            leftOut[layout.className(position), default: 0] += 1
        }
        let header = HeaderLine.text(of: screen, sent: writer.sent.count, leftOut: leftOut)
        let reasons = filter.board.reasons(in: filter.question)
        return ScreenSelection(
            ranked: order.map { position in
                RankedElement(
                    serial: layout.elements[position].serial, id: layout.elements[position].id,
                    score: scores[position], tokens: costs[position], isSent: page.isSent[position],
                    reasons: reasons[position])
            },
            sent: writer.sent,
            rows: writer.text.isEmpty ? header : header + "\n" + writer.text.dropLast(),
            tokens: budget - rowBudget + estimator.tokens(in: writer.text),
            elementCount: screen.elements.count, leftOut: leftOut, budget: budget)
    }

    // MARK: - Budget

    private func budget(for question: QuestionReader) -> Int {
        guard !question.intents.isDisjoint(with: [.enumeration, .count, .comparison]) else { return budget }
        return Int((Double(budget) * weights.wideBudget).rounded())
    }

    private func page(of layout: PageLayout, query: RelevanceQuery, budget: Int) -> RowWriter.Page {
        var focused: ElementSerial?
        if case .element(let id) = query.focus { focused = layout.elements.first { $0.id == id }?.serial }
        focused = focused ?? layout.elements.first { $0.element.states.contains(.focused) }?.serial
        let largest = Int(Double(budget) * Self.largestShare)
        let texts = layout.elements.map { item in
            let text = RowEntry.text(of: item.element)
            let tokens = estimator.tokens(in: text)
            guard tokens > largest else { return text }
            return RowText.clean(text, maximumLength: text.count * largest / tokens)
        }
        return RowWriter.Page(
            elements: layout.elements, isSent: [], texts: texts, changed: query.changed, focused: focused)
    }

    private func cost(of position: Int, on page: RowWriter.Page) -> Int {
        let item = page.elements[position]
        // The alias is not known yet; below 1000 it is one token.
        let entry = RowWriter.entry(
            alias: 100, element: item.element, text: page.texts[position],
            isChanged: page.changed.contains(item.serial), isFocused: item.serial == page.focused)
        return estimator.tokens(in: entry) + Self.separatorTokens
    }

    /// Takes the best until the budget is used up; one that is too long does not keep shorter ones out.
    private func choose(_ order: [Int], costs: [Int], budget: Int) -> [Bool] {
        var isSent = Array(repeating: false, count: order.count)
        var used = 0
        for position in order where used + costs[position] <= budget {
            used += costs[position]
            isSent[position] = true
        }
        return isSent
    }

    /// Writes the rows; where they come out longer than the sum of their parts, the worst elements go.
    private func write(
        _ page: inout RowWriter.Page, order: [Int], costs: [Int], budget: Int, aliases: inout AliasTable
    ) -> RowWriter {
        var worst = order.reversed().filter { page.isSent[$0] }[...]
        var elisions = [page.elements.count, 1][...]
        while true {
            var trial = aliases
            let writer = RowWriter(page, elisions: elisions.first ?? 0, aliases: &trial)
            var excess = estimator.tokens(in: writer.text) - budget
            if excess <= 0 || elisions.isEmpty && worst.isEmpty {
                aliases = trial
                return writer
            }
            guard elisions.popFirst() == nil else { continue }
            while excess > 0, let position = worst.popFirst() {
                page.isSent[position] = false
                excess -= costs[position]
            }
        }
    }
}
