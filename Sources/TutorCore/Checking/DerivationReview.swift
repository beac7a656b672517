// DerivationReview: what is known about every line of a derivation.
// Spec: docs/builtin.md

/// What is known about every line of a derivation.
public struct DerivationReview: Sendable, Hashable {
    /// What is known about one line.
    public enum Verdict: Sendable, Hashable {
        /// It follows from an earlier line, or is true by itself.
        case right
        /// It begins something: a given equation.
        case start
        /// It was not judged.
        case unjudged
        /// It is the first wrong line; those after it stay unjudged.
        case wrong
    }

    /// How far the derivation came, when nothing is wrong in it.
    public enum Progress: Sendable, Hashable {
        /// What could be checked is right, but not everything could be.
        case checked
        /// This line does not follow from the unfinished work above it; it is no provable slip, and may begin anew.
        case doubtful(line: Int)
        /// The last equation still has this step to go.
        case open(line: Int, next: NextStep)
        /// This line states a solution, and there are more.
        case partlySolved(line: Int)
        /// This line completes the solution, and it follows from the start.
        case solved(line: Int)
        /// Nothing can be said.
        case unknown
    }

    /// One verdict a line.
    public var verdicts: [Verdict]
    /// The first wrong line, if any.
    public var finding: DerivationFinding?
    /// How far it came.
    public var progress: Progress
    /// The values of the unknown that solve it, where known.
    ///
    /// Only for staying clear of them in hints, and the solution.
    public var solution: [Rational]
}

/// What kind of step is next in an equation.
public enum NextStep: String, Sendable, Hashable, CaseIterable {
    /// Terms of the same kind on one side can be put together.
    case collectTerms
    /// Both sides can be divided by the factor of the unknown, or multiplied by its divisor.
    case divide
    /// Brackets can be multiplied out.
    case expand
    /// It has the unknown squared: factor it or use the formula.
    case factor
    /// Terms can be moved so that the unknown stands alone on one side.
    case isolate
    /// Only numbers are left to work out.
    case workOut
}
