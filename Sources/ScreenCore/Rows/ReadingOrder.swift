// ReadingOrder: rows from top to bottom, each from left to right.
// Spec: docs/protocol.md §4 (`"ids":"fresh"`), docs/screen.md (rows)

import TutorProtocol

/// The order in which a person reads a screen: rows by the centres of the boxes, each row from left to right.
public struct ReadingOrder {
    /// How far a centre may be from the first centre of its row, in screens.
    ///
    /// Default 0.02: less than a line of text.
    public static let tolerance = 0.02

    /// The elements in reading order; those on the same spot keep their order.
    public static func sorted(_ elements: [ScreenElement]) -> [ScreenElement] {
        positions(of: elements.map(\.element.box)).map { elements[$0] }
    }

    /// The elements as rows, in reading order.
    public static func rows(_ elements: [ScreenElement]) -> [[ScreenElement]] {
        rows(of: elements.map(\.element.box)).map { $0.map { elements[$0] } }
    }

    /// The positions of the boxes in reading order.
    static func positions(of boxes: [Box]) -> [Int] {
        rows(of: boxes).flatMap(\.self)
    }

    /// The positions of the boxes as rows, in reading order.
    static func rows(of boxes: [Box]) -> [[Int]] {
        let downwards = boxes.indices.sorted { (boxes[$0].midY, $0) < (boxes[$1].midY, $1) }
        var rows: [[Int]] = []
        var top = -Double.infinity
        for position in downwards {
            if rows.isEmpty || boxes[position].midY - top > tolerance {
                top = boxes[position].midY
                rows.append([])
            }
            rows[rows.count - 1].append(position)
        }
        for number in rows.indices {
            rows[number].sort { (boxes[$0].x, $0) < (boxes[$1].x, $1) }
        }
        return rows
    }
}
