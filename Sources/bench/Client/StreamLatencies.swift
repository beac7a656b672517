// StreamLatencies: percentiles of what a measuring client saw.

/// Percentiles of what a measuring client saw.
struct StreamLatencies {
    /// Samples kept; later ones are counted only.
    static let limit = 4_000_000

    private var nanoseconds: [UInt64] = []
    /// Samples seen.
    private(set) var count = 0

    mutating func add(_ value: UInt64) {
        count += 1
        if nanoseconds.count < Self.limit { nanoseconds.append(value) }
    }

    mutating func removeAll() {
        nanoseconds.removeAll(keepingCapacity: true)
        count = 0
    }

    /// The values below which these shares of the samples lie, in microseconds; 0 without samples.
    func microseconds(_ shares: [Double]) -> [Double] {
        guard !nanoseconds.isEmpty else { return shares.map { _ in 0 } }
        let sorted = nanoseconds.sorted()
        return shares.map { Double(sorted[min(sorted.count - 1, Int(Double(sorted.count) * $0))]) / 1_000 }
    }
}
