// SlipKind: the usual slips of a step.
// Spec: docs/builtin.md (kinds of slip)

/// What kind of slip a wrong step is.
///
/// The raw value is what `chalkline check` prints.
public enum SlipKind: String, Sendable, Hashable, CaseIterable {
    /// A calculation with numbers came out wrong.
    case arithmetic
    /// A factor or divisor reached only some of the terms in a bracket.
    case distribution
    /// Only one side, or not every term, was divided or multiplied.
    case divisionOfOneSide
    /// A term is gone.
    case droppedTerm
    /// Provably wrong, but none of the usual slips explains it.
    case other
    /// A term changed sides or left a bracket with the wrong sign.
    case sign
    /// Another operation was done than the inverse, or operations in the wrong order.
    case wrongOperation
}
