// MathLine: what one written line states.
// Spec: docs/builtin.md (what it can judge)

/// One chain of equal sides, `a = b = c`; a single side is a bare expression.
public struct MathChain: Sendable, Hashable {
    /// The sides, at least one.
    public var sides: [Expression]
    /// Whether it goes on from the line above: `= 2x + 6`.
    public var isContinuation: Bool
    /// Whether it is one of several cases of its line: `x = 3 or x = -3`.
    public var isAlternative: Bool
    /// Whether the line sets it as an exercise: `Solve 2x + 3 = 7`.
    public var isGiven = false

    /// The unknowns in it.
    public var letters: Set<Unicode.Scalar> {
        var found: Set<Unicode.Scalar> = []
        for side in sides { side.collectLetters(into: &found) }
        return found
    }
}

extension Expression {
    func collectLetters(into found: inout Set<Unicode.Scalar>) {
        if case .letter(let letter) = self { found.insert(letter) }
        for child in children { child.collectLetters(into: &found) }
    }
}

/// What one written line states.
public enum MathLine: Sendable, Hashable {
    /// Nothing that can be judged.
    case nothing
    /// Sentences; only the equalities between numbers in it can be judged.
    case prose([MathToken])
    /// Mathematics as a whole.
    case steps([MathChain])
}
