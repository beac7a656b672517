// CodableScreen: the benchmark's messages as a user of Foundation would declare them.
// Spec: docs/protocol.md §4, §5

/// A `screen.delta` or `screen.snapshot` as a user of Foundation's coders would declare it.
struct CodableScreen: Codable {
    /// One element, or new values for one.
    struct Element: Codable {
        var id: String
        var type: String?
        var content: String?
        var box: [Double]?
        var placeholder: String?
        var value: String?
        var label: String?
        var state: [String]?
        var region: String?
        var line: Int?
        var parent: String?
    }

    struct Focus: Codable {
        var element: String?
        var point: [Double]?
        var box: [Double]?
    }

    var type: String
    var id: String?
    var base: Int64?
    var revision: Int64
    var size: [Double]?
    var elements: [Element]?
    var remove: [String]?
    var add: [Element]?
    var update: [Element]?
    var focus: Focus?
}

/// An `answer.delta` in the same way.
struct CodableAnswerDelta: Codable {
    var type = "answer.delta"
    var seq: Int64
    var turn: String
    var text: String
}
