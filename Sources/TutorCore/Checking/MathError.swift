// MathError: why a piece of mathematics cannot be judged.
// Spec: docs/builtin.md (what it stays silent about)

/// Why a piece of mathematics cannot be judged.
///
/// None of these is the student's fault: the checker stays silent.
public enum MathError: Error, Sendable, Hashable {
    /// People read it in more than one way, such as `1/2x`.
    case ambiguous
    /// A division by zero, or by something that vanishes.
    case divisionByZero
    /// A number left the range of exact arithmetic.
    case overflow
    /// It is not mathematics that the parser knows.
    case syntax
    /// A named limit of ``CheckingLimits`` was passed.
    case tooComplex
}
