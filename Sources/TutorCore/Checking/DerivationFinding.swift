// DerivationFinding: the first wrong line of a derivation.
// Spec: docs/builtin.md (kinds of slip)

/// The first wrong line of a derivation, with what is needed to say why.
public struct DerivationFinding: Sendable, Hashable {
    /// The wrong line, counted from 0.
    public var index: Int
    /// The line it should follow from; nil where it is wrong by itself.
    public var basis: Int?
    /// What kind of slip explains it.
    public var kind: SlipKind
    /// What the line should read, as text: `3x = 18`.
    ///
    /// Holds the right value: only for the highest hint level.
    public var correction: String?
    /// The numbers of the correction, so that hints can stay clear of them.
    public var rightValues: [Rational]

    /// Makes a finding.
    public init(index: Int, basis: Int?, kind: SlipKind, correction: String?, rightValues: [Rational]) {
        self.index = index
        self.basis = basis
        self.kind = kind
        self.correction = correction
        self.rightValues = rightValues
    }
}
