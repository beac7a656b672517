// PageLayout: what stands where on a screen, and what stands next to what.
// Spec: docs/relevance.md (structure)

import TutorProtocol

/// What stands where on a screen: rows, neighbours, bars, repeated groups and duplicates.
///
/// Sorted and hashed, so n log n in the elements.
struct PageLayout {
    /// Neighbours of an element that have a text, by position.
    struct Neighbours {
        var left: Int?
        var right: Int?
        var above: Int?
        var below: Int?
    }

    /// Height of the bar with clock and battery at the top, in screens.
    static let statusBar = 0.03
    /// Where the system's own buttons begin at the bottom, in screens.
    static let systemButtons = 0.93
    /// Elements alike in kind and alignment from which they are a group.
    static let groupSize = 3

    /// Longest text that can be one of a group, in bytes.
    static let shortText = 60

    let elements: [ScreenElement]
    /// Everything that an element says.
    let texts: [String]
    /// Positions by row, in reading order.
    let rows: [[Int]]
    private(set) var neighbours: [Neighbours]
    /// Whether an element belongs to the system's own bars.
    private(set) var isSystemBar: [Bool]
    /// Whether the same text of the same kind stands earlier.
    private(set) var isDuplicate: [Bool]
    /// The repeated group that an element belongs to.
    private(set) var group: [Int?]
    /// Elements of each group, in reading order.
    private(set) var groups: [[Int]] = []

    init(_ elements: [ScreenElement]) {
        self.elements = elements
        texts = elements.map(Self.text)
        rows = ReadingOrder.rows(of: elements.map(\.element.box))
        neighbours = Array(repeating: Neighbours(), count: elements.count)
        isSystemBar = Array(repeating: false, count: elements.count)
        isDuplicate = Array(repeating: false, count: elements.count)
        group = Array(repeating: nil, count: elements.count)
        findBars()
        findDuplicates()
        findNeighbours()
        findGroups()
    }

    private static func text(_ element: ScreenElement) -> String {
        let element = element.element
        var text = element.content
        for part in [element.label, element.value, element.placeholder] {
            guard let part, !part.isEmpty, part != text else { continue }
            text += text.isEmpty ? part : " " + part
        }
        return text
    }

    func box(_ position: Int) -> Box { elements[position].element.box }

    func kind(_ position: Int) -> ElementKind { elements[position].element.kind }

    /// Whether it has a text like those of lists and menus: a name, not a sentence.
    func isShort(_ position: Int) -> Bool { hasText(position) && texts[position].utf8.count <= Self.shortText }

    func hasText(_ position: Int) -> Bool { !texts[position].isEmpty }

    private mutating func findBars() {
        for position in elements.indices {
            let box = box(position)
            let isAtTop = box.maxY <= Self.statusBar
            let isAtBottom = box.y >= Self.systemButtons && box.maxY <= 1.01 && kind(position) == .image
            isSystemBar[position] = isAtTop || isAtBottom
        }
    }

    private mutating func findDuplicates() {
        struct Look: Hashable {
            let kind: ElementKind
            let text: String
        }
        var seen: Set<Look> = []
        for position in rows.joined() where hasText(position) {
            isDuplicate[position] = !seen.insert(Look(kind: kind(position), text: texts[position])).inserted
        }
    }

    private mutating func findNeighbours() {
        let textRows = rows.map { $0.filter(hasText) }.filter { !$0.isEmpty }
        for (number, row) in textRows.enumerated() {
            for (left, right) in zip(row, row.dropFirst()) {
                neighbours[left].right = right
                neighbours[right].left = left
            }
            // A value may stand two rows below its label when something short is between them.
            for position in row {
                for next in textRows[(number + 1)...].prefix(2) {
                    guard let below = Self.nearest(in: next, to: box(position), boxes: elements) else { continue }
                    neighbours[position].below = below
                    if neighbours[below].above == nil || number + 1 < textRows.count && next == textRows[number + 1] {
                        neighbours[below].above = position
                    }
                    break
                }
            }
        }
    }

    /// The element of a row that stands under a box: the nearest of those that begin around its edge or centre.
    private static func nearest(in row: [Int], to box: Box, boxes: [ScreenElement]) -> Int? {
        var low = 0
        var high = row.count
        while low < high {
            let middle = (low + high) / 2
            if boxes[row[middle]].element.box.x < box.x { low = middle + 1 } else { high = middle }
        }
        var best: (position: Int, distance: Double)?
        for place in max(0, low - 2)..<min(row.count, low + 2) {
            let other = boxes[row[place]].element.box
            let overlaps = other.x < box.maxX && other.maxX > box.x
            let distance = min(abs(other.x - box.x), abs(other.midX - box.midX))
            guard overlaps || distance < 0.05 else { continue }
            if distance < best?.distance ?? .infinity { best = (row[place], distance) }
        }
        return best?.position
    }

    private mutating func findGroups() {
        struct Alignment: Hashable {
            let kind: ElementKind
            let isColumn: Bool
            let place: Int
            let size: Int
        }
        var members: [Alignment: [Int]] = [:]
        for position in rows.joined() where isShort(position) && !isSystemBar[position] {
            let box = box(position)
            let kind = kind(position)
            let height = Int((box.height * 100).rounded())
            let column = Alignment(kind: kind, isColumn: true, place: Int((box.x * 100).rounded()), size: height)
            let row = Alignment(kind: kind, isColumn: false, place: Int((box.midY * 100).rounded()), size: height)
            members[column, default: []].append(position)
            members[row, default: []].append(position)
        }
        let large = members.values.filter { $0.count >= Self.groupSize }
        // The larger alignment wins an element that is in two; ties go to the one that begins earlier.
        for positions in large.sorted(by: { ($1.count, $0[0], $0[1]) < ($0.count, $1[0], $1[1]) }) {
            let free = positions.filter { group[$0] == nil }
            guard free.count >= Self.groupSize else { continue }
            for position in free { group[position] = groups.count }
            groups.append(free)
        }
    }
}

extension PageLayout {
    /// Whether an element is a part of a dialog: by name, or by place.
    func isInside(_ position: Int, _ dialog: ScreenElement) -> Bool {
        let element = elements[position].element
        return element.id == dialog.id || element.parent == dialog.id || dialog.element.box.holdsCentre(of: element.box)
    }
}

extension PageLayout {
    /// Repeated elements from which a group counts as a table.
    static let tableSize = 8

    /// What a left-out element is counted as.
    func className(_ position: Int) -> String {
        if !hasText(position) { return "empty" }
        if isSystemBar[position] { return "system" }
        if isDuplicate[position] { return "duplicate" }
        if kind(position) == .tab || kind(position) == .link { return "navigation" }
        if let group = group[position], groups[group].count >= Self.tableSize { return "table" }
        return kind(position).rawValue
    }
}
