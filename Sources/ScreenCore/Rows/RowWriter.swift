// RowWriter: writes the elements of a screen as rows for a model.
// Spec: docs/screen.md (rows)

import TutorProtocol

/// Writes the elements of a screen as rows: in reading order, short neighbours on one line, a blank line between
/// blocks, the open dialog or the block in focus first.
struct RowWriter {
    /// Longest text that shares a line with its neighbours, in characters.
    static let shortText = 28
    /// Gap between two rows from which a new block begins, in screens.
    static let blockGap = 0.06
    /// Rows of one shape that are shown before the rest of them may be told as a number.
    static let shownBeforeElision = 3
    /// Fewest rows that are told as a number.
    static let fewestElided = 2

    /// What is known of the elements, by position in `elements`.
    struct Page {
        /// The showable elements.
        var elements: [ScreenElement]
        /// Which of them are sent.
        var isSent: [Bool]
        /// The cleaned text of each.
        var texts: [String]
        /// Those that changed since the last turn.
        var changed: Set<ElementSerial>
        /// The element in focus.
        var focused: ElementSerial?
    }

    /// The rows, and the aliases in them.
    private(set) var text = ""
    private(set) var sent: [Int: ElementSerial] = [:]

    private let page: Page
    /// How many more runs of left-out rows may be told.
    private var elisions: Int

    /// Writes the rows.
    /// - Parameters:
    ///   - page: the elements and which are sent.
    ///   - elisions: most runs of like rows that were left out and are told as a number.
    ///   - aliases: the session's aliases; elements that have none get one in the order of the rows.
    init(_ page: Page, elisions: Int, aliases: inout AliasTable) {
        self.page = page
        self.elisions = elisions
        for block in blocks() { write(block, &aliases) }
    }

    // MARK: - Blocks

    private func blocks() -> [[Int]] {
        let dialog = page.elements.last { $0.element.kind == .dialog }?.element
        let focusedRegion = page.focused.flatMap { serial in
            page.elements.first { $0.serial == serial }?.element.region
        }
        guard dialog != nil || focusedRegion != nil else { return [Array(page.elements.indices)] }
        var first: [Int] = []
        var rest: [Int] = []
        for (position, item) in page.elements.enumerated() {
            let element = item.element
            let isFirst =
                if let dialog {
                    element.id == dialog.id || element.parent == dialog.id || dialog.box.holdsCentre(of: element.box)
                } else {
                    element.region == focusedRegion
                }
            if isFirst { first.append(position) } else { rest.append(position) }
        }
        return [first, rest]
    }

    // MARK: - Rows

    private mutating func write(_ block: [Int], _ aliases: inout AliasTable) {
        let rows = ReadingOrder.rows(of: block.map { page.elements[$0].element.box }).map { $0.map { block[$0] } }
        var bottom: Double?
        var region: String?
        var shape: [ElementKind] = []
        var shown = 0
        var leftOut: [[Int]] = []
        var needsBreak = !text.isEmpty
        for row in rows {
            let rowShape = row.map { page.elements[$0].element.kind }
            let isShown = row.contains { page.isSent[$0] }
            if rowShape != shape || isShown {
                writeElision(of: leftOut, &aliases)
                leftOut = []
            }
            if rowShape != shape {
                shape = rowShape
                shown = 0
            }
            guard isShown else {
                if shown >= Self.shownBeforeElision { leftOut.append(row) }
                continue
            }
            shown += 1
            let top = row.map { page.elements[$0].element.box.y }.min() ?? 0
            let ownRegion = page.elements[row[0]].element.region
            if let bottom, top - bottom > Self.blockGap || ownRegion != region { needsBreak = true }
            if needsBreak, !text.isEmpty { text += "\n" }
            needsBreak = false
            bottom = max(bottom ?? 0, row.map { page.elements[$0].element.box.maxY }.max() ?? 0)
            region = ownRegion
            writeRow(row.filter { page.isSent[$0] }, &aliases)
        }
        writeElision(of: leftOut, &aliases)
    }

    private mutating func writeRow(_ row: [Int], _ aliases: inout AliasTable) {
        var isOpen = false
        for position in row {
            let entry = entry(position, &aliases)
            let isShort = page.texts[position].count <= Self.shortText
            if isOpen { text += isShort ? " | " : "\n" }
            text += entry
            isOpen = isShort
            if !isShort { text += "\n" }
        }
        if isOpen { text += "\n" }
    }

    private mutating func entry(_ position: Int, _ aliases: inout AliasTable) -> String {
        let item = page.elements[position]
        let alias = aliases.alias(for: item.serial)
        sent[alias] = item.serial
        return Self.entry(
            alias: alias, element: item.element, text: page.texts[position],
            isChanged: page.changed.contains(item.serial), isFocused: item.serial == page.focused)
    }

    static func entry(alias: Int, element: Element, text: String, isChanged: Bool, isFocused: Bool) -> String {
        let flags = RowEntry.flags(of: element, isChanged: isChanged, isFocused: isFocused)
        return text.isEmpty ? "\(alias)\(flags)" : "\(alias)\(flags) \(text)"
    }

    /// Says how many rows of the last shape were left out, and by which numbers they can be asked for later.
    private mutating func writeElision(of rows: [[Int]], _ aliases: inout AliasTable) {
        guard elisions > 0, rows.count >= Self.fewestElided else { return }
        let numbers = rows.joined().map { aliases.alias(for: page.elements[$0].serial) }
        guard let first = numbers.min(), let last = numbers.max() else { return }
        elisions -= 1
        text += "… +\(rows.count) rows (\(first)-\(last))\n"
    }
}
