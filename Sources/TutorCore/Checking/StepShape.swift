// StepShape: whether one equation looks as if it were made from another.
// Spec: docs/builtin.md (exercises in a list)

/// Whether one equation looks as if it were made from another.
///
/// Two exercises of a list contradict each other as a slip does; only a line that is simpler than the one above,
/// or shares a term with it, is taken as its next step.
struct StepShape {
    let basis: Equation
    let line: Equation

    /// Whether the line has fewer terms or brackets, or the same terms on other sides.
    var isSimpler: Bool {
        if line.termCount < basis.termCount { return true }
        if line.bracketCount < basis.bracketCount { return true }
        if line.isSeparated, !basis.isSeparated { return true }
        let moved = line.left.terms.count != basis.left.terms.count || line.right.terms.count != basis.right.terms.count
        return moved && line.termCount <= basis.termCount && sharesTerm
    }

    /// Whether the line could be made from the basis at all: it is not much longer.
    var isPlausible: Bool {
        let expanded = basis.difference.coefficients.count + 1
        return line.left.leafCount + line.right.leafCount
            <= max(basis.left.leafCount + basis.right.leafCount, 2 * expanded) + 2
    }

    /// Whether the line has something that no step makes out of the basis: another bracket, a fraction of the
    /// unknown, several new terms with unknowns.
    var bringsSomethingNew: Bool {
        let known = Set(basis.left.bracketsWithLetters + basis.right.bracketsWithLetters)
        // Factoring makes brackets, and only where the unknown has a power.
        if basis.difference.degree == 1,
            !(line.left.bracketsWithLetters + line.right.bracketsWithLetters).allSatisfy(known.contains)
        {
            return true
        }
        let mine = Self.letterTerms(line)
        let theirs = Set(Self.letterTerms(basis))
        // A fraction of the unknown is cleared by a step, not made.
        if mine.contains(where: { !theirs.contains($0) && !$0.coefficients.values.allSatisfy(\.isWhole) }) {
            return true
        }
        return mine.count > 1 && mine.count { theirs.contains($0) } < mine.count - 1
    }

    /// Whether every fraction with the unknown, and where there are several every term with it, stands in the basis.
    ///
    /// Asked of a first step that no slip explains exactly: only then a mere similarity of solutions is believed.
    var keepsItsTerms: Bool {
        let fractions = Set(basis.left.quotientsWithLetters + basis.right.quotientsWithLetters)
        guard (line.left.quotientsWithLetters + line.right.quotientsWithLetters).allSatisfy(fractions.contains) else {
            return false
        }
        let mine = Self.letterTerms(line)
        guard mine.count > 1 else { return true }
        var theirs = Self.letterTerms(basis)
        for term in mine {
            guard let place = theirs.firstIndex(of: term) else { return false }
            theirs.remove(at: place)
        }
        return true
    }

    /// The terms with unknowns as written, brackets opened, without their signs.
    static func letterTerms(_ equation: Equation) -> [Polynomial] {
        var found: [Polynomial] = []
        for term in equation.left.terms + equation.right.terms {
            guard let form = try? term.normalised(limits: CheckingLimits()).polynomial else { continue }
            found += form.terms.filter { $0.monomial != .unit }.map {
                Polynomial($0.coefficient.magnitude, $0.monomial)
            }
        }
        return found
    }

    /// Whether a term, whatever its sign, stands in both.
    var sharesTerm: Bool {
        guard let mine = line.polynomials, let theirs = basis.polynomials else { return false }
        let others = Self.terms(theirs.left).union(Self.terms(theirs.right))
        return !Self.terms(mine.left).union(Self.terms(mine.right)).isDisjoint(with: others)
    }

    /// Whether a whole side is the same.
    var sharesSide: Bool {
        guard let mine = line.polynomials, let theirs = basis.polynomials else { return false }
        return mine.left == theirs.left || mine.right == theirs.right
    }

    /// Whether it is the same line again, or with its sides exchanged.
    var isRestated: Bool {
        guard let mine = line.polynomials, let theirs = basis.polynomials else { return false }
        return mine == theirs || (mine.left == theirs.right && mine.right == theirs.left)
    }

    private static func terms(_ polynomial: Polynomial) -> Set<Polynomial> {
        Set(polynomial.terms.map { Polynomial($0.coefficient.magnitude, $0.monomial) })
    }
}
