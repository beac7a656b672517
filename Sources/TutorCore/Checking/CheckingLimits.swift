// CheckingLimits: every bound of the checker.
// Spec: docs/builtin.md

/// Every bound of the checker.
///
/// Beyond any of them it stays silent.
public struct CheckingLimits: Sendable, Hashable {
    /// Longest line that is read, in bytes of UTF-8.
    ///
    /// Default 600: longer texts are prose, not steps.
    public var lineBytes = 600
    /// Most tokens of a line.
    ///
    /// Default 240.
    public var lineTokens = 240
    /// Deepest nesting of brackets.
    ///
    /// Default 24.
    public var nesting = 24
    /// Highest total degree of a polynomial.
    ///
    /// Default 8: school algebra ends well below.
    public var degree = 8
    /// Most terms of a polynomial.
    ///
    /// Default 64.
    public var terms = 64
    /// Highest written exponent of a bare number.
    ///
    /// Default 64; larger ones overflow anyway.
    public var exponent = 64
    /// Most lines of one derivation.
    ///
    /// Default 200.
    public var lines = 200
    /// Earlier right lines that a line is compared with.
    ///
    /// Default 12: the first and the newest ones.
    public var basisLines = 12
    /// Most lines of a derivation whose slip is looked for.
    ///
    /// Default 12: a derivation ends at its first slip, and only a list of exercises has more lines that contradict one
    /// another.
    public var slipSearches = 12
    /// Most sets of unknowns that are followed side by side.
    ///
    /// Default 16.
    public var contexts = 16

    /// The defaults.
    public init() {}
}
