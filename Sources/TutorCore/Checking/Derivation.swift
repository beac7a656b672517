// Derivation: lines on a screen that belong to one piece of working.
// Spec: docs/builtin.md (which lines belong together)

/// Lines on a screen that belong to one piece of working, in order.
public struct Derivation: Sendable, Hashable {
    /// One line of it.
    public struct Line: Sendable, Hashable {
        /// The element that holds it, by its place in the lesson's list.
        ///
        /// An element of several rows holds several lines.
        public let element: Int
        /// The line as written.
        public let text: String
        let read: MathLine
    }

    /// The lines, at least one.
    public internal(set) var lines: [Line]

    /// What is known about every line.
    public func review(limits: CheckingLimits = CheckingLimits()) -> DerivationReview {
        let checker = DerivationChecker(limits: limits)
        return checker.review(read: lines.prefix(limits.lines).map(\.read), count: lines.count)
    }
}
