// DerivationFinder: which elements of a screen form one derivation.
// Spec: docs/builtin.md (which lines belong together)

public import TutorProtocol

/// Finds the derivations of a screen: `math` elements, and texts, code and inputs that are equations as a whole.
///
/// Goal: the steps of one exercise together, several exercises apart. Plan: walk in reading order; a line joins the
/// group of its `region`, else of the `parent` that it shares with other lines, else the open group right above it.
/// A line number that does not rise, or a heading in between, begins a new one. Cost: linear; only the newest open
/// groups are looked at.
public struct DerivationFinder: Sendable {
    /// Most groups that a line is compared with.
    static let maximumOpenGroups = 8
    /// Largest gap between two lines of a group, in heights of the higher one.
    static let maximumGapInHeights = 1.6
    /// The gap that is always allowed, in screens: lines of small print.
    static let minimumGap = 0.03
    /// How far left edges may differ without overlap, in screens.
    static let maximumIndent = 0.1

    private let limits: CheckingLimits
    private let reader: LineReader

    /// Makes a finder.
    public init(limits: CheckingLimits = CheckingLimits()) {
        self.limits = limits
        reader = LineReader(limits: limits)
    }

    private enum Key: Hashable {
        case parent(ElementID)
        case region(String)
    }

    private struct Group {
        var key: Key?
        var elements: [Int]
        var bottom: Element
    }

    /// The derivations among elements that are given in reading order.
    public func derivations(in elements: [Element]) -> [Derivation] {
        var lines: [Int: [Derivation.Line]] = [:]
        var perParent: [ElementID: Int] = [:]
        for (index, element) in elements.enumerated() {
            let found = self.lines(of: element, at: index)
            guard !found.isEmpty else { continue }
            lines[index] = found
            if let parent = element.parent { perParent[parent, default: 0] += 1 }
        }
        guard !lines.isEmpty else { return [] }
        var groups: [Group] = []
        var keyed: [Key: Int] = [:]
        var open: [Int] = []
        for (index, element) in elements.enumerated() {
            if element.kind == .heading {
                open.removeAll { overlaps(groups[$0].bottom, element) }
            }
            guard lines[index] != nil else { continue }
            if let key = key(of: element, perParent: perParent) {
                if let place = keyed[key], !restarts(element, after: groups[place].bottom) {
                    groups[place].elements.append(index)
                    groups[place].bottom = element
                } else {
                    keyed[key] = groups.count
                    groups.append(Group(key: key, elements: [index], bottom: element))
                }
            } else if let place = open.last(where: { isBelow(element, groups[$0].bottom) }) {
                groups[place].elements.append(index)
                groups[place].bottom = element
            } else {
                open.append(groups.count)
                if open.count > Self.maximumOpenGroups { open.removeFirst() }
                groups.append(Group(key: nil, elements: [index], bottom: element))
            }
        }
        return joiningLoneInput(groups, elements).map { group in
            Derivation(lines: ordered(group, elements).flatMap { lines[$0] ?? [] })
        }
    }

    // MARK: Lines

    /// The lines that an element holds, or none when it is something else.
    private func lines(of element: Element, at index: Int) -> [Derivation.Line] {
        let text: String
        switch element.kind {
        case .math: text = element.content
        case .code, .other, .text: text = element.content
        case .input: text = Self.written(element)
        case .alert, .button, .checkbox, .dialog, .error, .heading, .image, .link, .radio, .select, .switch, .tab:
            return []
        }
        // Most texts of a screen end here: no equals sign, no equation.
        guard element.kind == .math || text.utf8.contains(UInt8(ascii: "=")) || text.unicodeScalars.contains("\u{FF1D}")
        else { return [] }
        var found: [Derivation.Line] = []
        for row in text.split(whereSeparator: \.isNewline).prefix(limits.lines) {
            let read = reader.read(String(row))
            if element.kind != .math, !isEquation(read) { return [] }
            found.append(Derivation.Line(element: index, text: String(row), read: read))
        }
        return found
    }

    /// What an input holds.
    static func written(_ element: Element) -> String {
        if let value = element.value, !value.isEmpty { return value }
        return element.content
    }

    private func isEquation(_ line: MathLine) -> Bool {
        guard case .steps(let chains) = line else { return false }
        return chains.contains { $0.sides.count > 1 || $0.isContinuation }
    }

    // MARK: Groups

    private func key(of element: Element, perParent: [ElementID: Int]) -> Key? {
        if let region = element.region { return .region(region) }
        // A container of its own for each row groups nothing.
        if let parent = element.parent, perParent[parent, default: 0] > 1 { return .parent(parent) }
        return nil
    }

    private func restarts(_ element: Element, after last: Element) -> Bool {
        guard let line = element.line, let before = last.line else { return false }
        return line <= before && element.box.midY > last.box.midY
    }

    private func isBelow(_ element: Element, _ last: Element) -> Bool {
        if restarts(element, after: last) { return false }
        let gap = element.box.y - (last.box.y + last.box.height)
        let height = max(element.box.height, last.box.height)
        var allowed = max(Self.maximumGapInHeights * height, Self.minimumGap)
        // Numbered lines belong together over a remark in between.
        if let line = element.line, let before = last.line, line == before + 1 { allowed *= 2 }
        return gap <= allowed && gap >= -height && element.box.midY > last.box.midY && overlaps(element, last)
    }

    private func overlaps(_ a: Element, _ b: Element) -> Bool {
        let common = min(a.box.x + a.box.width, b.box.x + b.box.width) - max(a.box.x, b.box.x)
        return common > 0 || abs(a.box.x - b.box.x) <= Self.maximumIndent
    }

    private func ordered(_ group: Group, _ elements: [Element]) -> [Int] {
        let numbers = group.elements.compactMap { elements[$0].line }
        guard numbers.count == group.elements.count, Set(numbers).count == numbers.count else { return group.elements }
        return group.elements.sorted { (elements[$0].line ?? 0) < (elements[$1].line ?? 0) }
    }

    /// An input by itself that holds an equation is the last line of the only other group.
    private func joiningLoneInput(_ groups: [Group], _ elements: [Element]) -> [Group] {
        guard groups.count == 2, groups[1].elements.count == 1, elements[groups[1].elements[0]].kind == .input else {
            return groups
        }
        var joined = groups[0]
        joined.elements += groups[1].elements
        return [joined]
    }
}
