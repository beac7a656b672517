// ElementMatcher: finds which elements of a recognised list are those of the one before.
// Spec: docs/protocol.md §4 (`"ids":"fresh"`)

import TutorProtocol

/// Pairs the elements of two lists that have no common ids.
///
/// Only elements of one kind are ever paired.
///
/// First by equal text: a text that occurs once on both sides is the same element wherever it moved to, and repeated
/// ones are paired by place. What is left has another text: it is paired by overlap and likeness. Each step sorts or
/// hashes, and the last looks at a bounded number of neighbours, so the whole is n log n.
struct ElementMatcher {
    /// Overlap (intersection over union) from which two boxes are one place, whatever the text.
    static let sameOverlap = 0.6
    /// Overlap that is enough when the texts are alike.
    static let likelyOverlap = 0.15
    /// Share of common characters pairs from which two texts are alike.
    static let likeness = 0.5
    /// Side of a cell of the look-up grid, in screens.
    private static let cell = 0.05
    /// Most elements that are kept in a cell; more on one spot are not worth telling apart.
    private static let cellCapacity = 8

    private let incoming: [Element]
    private let earlier: [Element]
    private var partner: [Int?]
    private var isTaken: [Bool]

    /// For each incoming element the position of its earlier self, or nil.
    static func match(_ incoming: [Element], to earlier: [Element]) -> [Int?] {
        guard !earlier.isEmpty else { return Array(repeating: nil, count: incoming.count) }
        var matcher = ElementMatcher(incoming, earlier)
        matcher.matchByText()
        matcher.matchByPlace()
        return matcher.partner
    }

    private init(_ incoming: [Element], _ earlier: [Element]) {
        self.incoming = incoming
        self.earlier = earlier
        partner = Array(repeating: nil, count: incoming.count)
        isTaken = Array(repeating: false, count: earlier.count)
    }

    private mutating func pair(_ new: Int, _ old: Int) {
        partner[new] = old
        isTaken[old] = true
    }

    private struct Look: Hashable {
        let kind: ElementKind
        let content: String
        let label: String?
    }

    private mutating func matchByText() {
        let newOnes = Self.groups(incoming)
        let oldOnes = Self.groups(earlier)
        for (look, news) in newOnes {
            guard let olds = oldOnes[look] else { continue }
            let hasText = !look.content.isEmpty || look.label != nil
            if hasText, news.count == olds.count {
                for (new, old) in zip(news, olds) { pair(new, old) }
            } else {
                matchRepeated(news, olds)
            }
        }
    }

    /// Pairs the nearest by place, top to bottom, where a list of alike elements grew or shrank.
    private mutating func matchRepeated(_ news: [Int], _ olds: [Int]) {
        var rest = olds[...]
        for new in news {
            let box = incoming[new].box
            while rest.count > 1, let first = rest.first, let second = rest.dropFirst().first,
                Self.distance(earlier[second].box, box) <= Self.distance(earlier[first].box, box)
            {
                rest.removeFirst()
            }
            guard let old = rest.first, Self.distance(earlier[old].box, box) <= Self.cell else { continue }
            pair(new, old)
            rest.removeFirst()
        }
    }

    private mutating func matchByPlace() {
        var cells: [Cell: [Int]] = [:]
        for old in earlier.indices where !isTaken[old] {
            let cell = Cell(earlier[old].box, side: Self.cell)
            if cells[cell, default: []].count < Self.cellCapacity { cells[cell, default: []].append(old) }
        }
        guard !cells.isEmpty else { return }
        for new in incoming.indices where partner[new] == nil {
            var best: (old: Int, score: Double)?
            for cell in Cell(incoming[new].box, side: Self.cell).neighbourhood {
                for old in cells[cell] ?? [] where !isTaken[old] && earlier[old].kind == incoming[new].kind {
                    let score = likeness(new, old)
                    if score > best?.score ?? 0 { best = (old, score) }
                }
            }
            if let best { pair(new, best.old) }
        }
    }

    /// How sure it is that two elements are one; 0: they are not.
    private func likeness(_ new: Int, _ old: Int) -> Double {
        let overlap = incoming[new].box.overlap(with: earlier[old].box)
        if overlap >= Self.sameOverlap { return 1 + overlap }
        guard overlap >= Self.likelyOverlap else { return 0 }
        let alike = TextLikeness.share(incoming[new].content, earlier[old].content)
        return alike >= Self.likeness ? alike : 0
    }

    /// Positions by look, each list from top to bottom.
    private static func groups(_ elements: [Element]) -> [Look: [Int]] {
        var groups: [Look: [Int]] = [:]
        for position in ReadingOrder.positions(of: elements.map(\.box)) {
            let element = elements[position]
            let look = Look(kind: element.kind, content: element.content, label: element.label)
            groups[look, default: []].append(position)
        }
        return groups
    }

    private static func distance(_ left: Box, _ right: Box) -> Double {
        max(abs(left.midX - right.midX), abs(left.midY - right.midY))
    }
}

/// A cell of a grid over the screen.
private struct Cell: Hashable {
    let column: Int
    let row: Int

    init(_ box: Box, side: Double) {
        column = Int((box.midX / side).rounded(.down))
        row = Int((box.midY / side).rounded(.down))
    }

    private init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    var neighbourhood: [Cell] {
        (-1...1).flatMap { row in (-1...1).map { Cell(column: self.column + $0, row: self.row + row) } }
    }
}
