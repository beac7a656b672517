// Duration+Milliseconds: durations as the wire counts them.
// Spec: docs/protocol.md §5 (`duration_ms`), §10 (`retry_ms`)

extension Duration {
    /// Whole milliseconds, rounded up, so that whoever waits that long does not come too early.
    ///
    /// Negative is 0.
    var wholeMilliseconds: Int {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        // A million years is far above any duration here; it keeps the product within 64 bits.
        guard seconds < 31_557_600_000_000 else { return .max }
        return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
