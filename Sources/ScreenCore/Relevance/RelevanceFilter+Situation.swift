// RelevanceFilter, situation: what the student was doing, what is wrong, and what can be done.
// Spec: docs/relevance.md (signals 5 to 7)

import TutorProtocol

extension RelevanceFilter {
    // MARK: - Attention

    /// Nearness to the focus and to the last touch; what changed.
    mutating func addAttention() {
        if let box = box(of: query.focus) { addNearness(to: box, weights.focus, for: .focus) }
        if let touched = query.lastTouched,
            let position = layout.elements.firstIndex(where: { $0.serial == touched })
        {
            addNearness(to: layout.box(position), weights.touched, for: .touched)
        }
        guard !query.changed.isEmpty else { return }
        for (position, element) in layout.elements.enumerated() where query.changed.contains(element.serial) {
            board.add(weights.changed, to: position, for: .changed)
        }
    }

    private mutating func addNearness(to box: Box, _ weight: Double, for reason: RelevanceReason) {
        for position in layout.elements.indices {
            let distance = layout.box(position).distance(to: box)
            let nearness = weights.focusReach / (weights.focusReach + distance)
            board.add(weight * nearness * nearness, to: position, for: reason)
        }
    }

    private func box(of focus: Focus?) -> Box? {
        switch focus {
        case .box(let box): box
        case .element(let id): layout.elements.first { $0.id == id }?.element.box
        case .point(let point): Box(x: point.x, y: point.y, width: 0, height: 0)
        case nil: layout.elements.first { $0.element.states.contains(.focused) }?.element.box
        }
    }

    // MARK: - Troubles

    /// Errors, the fields that they stand at, and an open dialog.
    mutating func addTroubles() {
        let isAsked = question.intents.contains(.trouble)
        for position in layout.elements.indices {
            let element = layout.elements[position].element
            guard element.kind == .error || element.kind == .alert || element.states.contains(.invalid) else {
                continue
            }
            let weight = isAsked ? 2.0 : 1.0
            board.add(weights.error * weight, to: position, for: .error)
            let neighbours = layout.neighbours[position]
            for neighbour in [neighbours.above, neighbours.left, neighbours.below, neighbours.right].compactMap(\.self)
            {
                board.add(weights.errorNeighbour * weight, to: neighbour, for: .errorNeighbour)
            }
        }
        guard let dialog = layout.elements.last(where: { $0.element.kind == .dialog }) else { return }
        for position in layout.elements.indices where layout.isInside(position, dialog) {
            board.add(weights.dialog, to: position, for: .dialog)
        }
    }

    // MARK: - State

    /// What is chosen or ticked, and what can be operated, where the question asks for it.
    mutating func addState() {
        let wantsChoice = question.intents.contains(.choice)
        let wantsAction = question.intents.contains(.action)
        guard wantsChoice || wantsAction else { return }
        for position in layout.elements.indices {
            let element = layout.elements[position].element
            if wantsChoice, !element.states.isDisjoint(with: [.checked, .selected]) {
                board.add(weights.chosen, to: position, for: .chosen)
                if let right = layout.neighbours[position].right {
                    board.add(weights.chosen / 2, to: right, for: .labelOf)
                }
            }
            if wantsChoice, element.kind.isChoosable {
                board.add(weights.choosable, to: position, for: .choosable)
                for neighbour in [layout.neighbours[position].left, layout.neighbours[position].right] {
                    if let neighbour, layout.kind(neighbour) == .text, element.kind != .button {
                        board.add(weights.choosable, to: neighbour, for: .choosable)
                    }
                }
            }
            if wantsAction, element.kind.isOperable { board.add(weights.operable, to: position, for: .operable) }
        }
    }

    // MARK: - Title

    /// The head of the page, where the question asks for its name.
    mutating func addTitle() {
        for position in layout.elements.indices where layout.kind(position) == .heading {
            board.add(weights.heading, to: position, for: .heading)
        }
        guard question.intents.contains(.title) else { return }
        let texts = layout.rows.joined().filter {
            layout.hasText($0) && layout.kind($0) != .image && !layout.isSystemBar[$0]
        }
        for (rank, position) in texts.prefix(3).enumerated() {
            board.add(weights.title / Double(rank + 1), to: position, for: .title)
        }
    }
}

extension ElementKind {
    /// Whether one can do something to it.
    var isOperable: Bool {
        switch self {
        case .button, .checkbox, .input, .link, .radio, .select, .switch, .tab: true
        case .alert, .code, .dialog, .error, .heading, .image, .math, .other, .text: false
        }
    }
}

extension ElementKind {
    /// Whether it can be the chosen one of several.
    var isChoosable: Bool {
        switch self {
        case .button, .checkbox, .radio, .select, .switch, .tab: true
        case .alert, .code, .dialog, .error, .heading, .image, .input, .link, .math, .other, .text: false
        }
    }
}
