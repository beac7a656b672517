// NextStepFinder: what kind of step an equation needs next.
// Spec: docs/builtin.md (right so far)

/// What kind of step an equation needs next on the way to `x = …`.
struct NextStepFinder {
    let limits: CheckingLimits

    /// The kind of step, or nil when the equation is solved.
    func next(after equation: Equation) -> NextStep? {
        if equation.solved != nil { return nil }
        if equation.bracketCount > 0 { return .expand }
        if isLoneLetter(equation.left), !hasLetter(equation.right) { return .workOut }
        if isLoneLetter(equation.right), !hasLetter(equation.left) { return .workOut }
        if canCollect(equation.left, equation.leftForm) || canCollect(equation.right, equation.rightForm) {
            return .collectTerms
        }
        if equation.difference.degree > 1 { return .factor }
        let leftHas = hasLetter(equation.left)
        let rightHas = hasLetter(equation.right)
        if leftHas, rightHas { return .isolate }
        let side = leftHas ? equation.leftForm : equation.rightForm
        if let form = side.polynomial, !form[.unit].isZero { return .isolate }
        return .divide
    }

    private func isLoneLetter(_ side: Expression) -> Bool {
        if case .letter = side { return true }
        return false
    }

    private func hasLetter(_ side: Expression) -> Bool {
        side.contains { if case .letter = $0 { true } else { false } }
    }

    private func canCollect(_ side: Expression, _ form: RationalFunction) -> Bool {
        guard let form = form.polynomial else { return false }
        return side.terms.count > max(form.coefficients.count, 1)
    }
}
