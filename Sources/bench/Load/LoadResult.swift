// LoadResult: what a run of the load generator found.

/// What a run of the load generator found: names with their figures, in order.
struct LoadResult: Sendable {
    private(set) var figures: [(name: String, value: Double)] = []

    mutating func add(_ name: String, _ value: Double) { figures.append((name, value)) }

    /// One JSON object, such as `{"seconds":1.5}`.
    var json: String {
        "{" + figures.map { "\"\($0.name)\":\(Self.text($0.value))" }.joined(separator: ",") + "}"
    }

    /// One line a figure.
    var table: String { figures.map { "\($0.name) \(Self.text($0.value))" }.joined(separator: "\n") }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\((value * 10_000).rounded() / 10_000)"
    }
}
