// DerivationChecker: finds the first wrong line of a derivation.
// Spec: docs/builtin.md

/// Finds the first wrong line of a derivation, and stays silent where nothing is provably wrong.
public struct DerivationChecker: Sendable {
    private let limits: CheckingLimits

    /// Makes a checker.
    public init(limits: CheckingLimits = CheckingLimits()) { self.limits = limits }

    /// The first wrong line, or nil when nothing is provably wrong.
    ///
    /// Linear in the lines.
    public func check(_ lines: [String]) -> DerivationFinding? { review(lines).finding }

    /// What is known about every line.
    ///
    /// Lines beyond ``CheckingLimits/lines`` stay unjudged.
    public func review(_ lines: [String]) -> DerivationReview {
        let reader = LineReader(limits: limits)
        return review(read: lines.prefix(limits.lines).map(reader.read), count: lines.count)
    }

    /// The same for lines that are read already.
    func review(read lines: [MathLine], count: Int) -> DerivationReview {
        var run = DerivationRun(lines: lines, limits: limits)
        for index in lines.indices where run.finding == nil { run.judge(index) }
        return run.review(count: count)
    }
}
