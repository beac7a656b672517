// DerivationGenerator: derivations with at most one known slip, from a seed.
// Spec: docs/builtin.md (measured)

import TutorCore

/// A derivation whose first wrong line is known.
struct GeneratedDerivation: CustomStringConvertible {
    var lines: [String]
    var slip: (index: Int, kind: SlipKind)?

    var description: String { lines.joined(separator: " / ") + " \(slip.map { "\($0)" } ?? "clean")" }
}

/// Makes linear equations in one unknown and solves them line by line, with one slip where asked.
///
/// The state of a line is `a x + b = c x + d`. After a slip the rest follows from the wrong line, as pupils do.
struct DerivationGenerator {
    private struct State {
        var a: Int
        var b: Int
        var c: Int
        var d: Int

        /// Two equations have the same solution when these cross products agree.
        func hasSameSolution(as other: State) -> Bool {
            (d - b) * (other.a - other.c) == (other.d - other.b) * (a - c)
        }
    }

    private enum Stage: CaseIterable {
        case expanded
        case gathered
        case isolated
        case solved
    }

    private var numbers: SplitMix64
    private var letter = "x"
    private var style = 0

    init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

    private mutating func pick(_ range: ClosedRange<Int>, not excluded: Set<Int> = []) -> Int {
        var value = Int.random(in: range, using: &numbers)
        while excluded.contains(value) { value = Int.random(in: range, using: &numbers) }
        return value
    }

    /// A derivation; with a slip when asked.
    mutating func derivation(withSlip: Bool) -> GeneratedDerivation {
        while true {
            if let found = attempt(withSlip: withSlip) { return found }
        }
    }

    private mutating func attempt(withSlip: Bool) -> GeneratedDerivation? {
        letter = ["x", "y", "t", "n"][pick(0...3)]
        style = pick(0...5)
        var (start, state, bracketSlips) = exercise()
        guard state.a != state.c else { return nil }
        var lines = [start]
        var slip: (index: Int, kind: SlipKind)?
        var stages = Stage.allCases
        if state.c == 0 { stages.removeAll { $0 == .gathered } }
        if state.b == 0 { stages.removeAll { $0 == .isolated } }
        let slipAt = withSlip ? pick(0...(stages.count - 1)) : -1
        for (position, stage) in stages.enumerated() {
            if position == slipAt {
                let choices = stage == .expanded ? bracketSlips : slips(of: state, at: stage)
                guard !choices.isEmpty else { return nil }
                let (wrong, kind) = choices[pick(0...(choices.count - 1))]
                guard wrong.a != wrong.c, !wrong.hasSameSolution(as: state) else { return nil }
                state = wrong
                slip = (lines.count, kind)
            } else {
                state = advanced(state, to: stage)
            }
            lines.append(text(state, at: stage))
            if stage == .solved || (state.a - state.c == 1 && state.b == 0 && state.c == 0) { break }
        }
        guard !withSlip || slip != nil else { return nil }
        return GeneratedDerivation(lines: lines.enumerated().map { decorated($1, at: $0) }, slip: slip)
    }

    /// An exercise, what it is once expanded, and what it becomes by slips in expanding.
    private mutating func exercise() -> (String, State, [(State, SlipKind)]) {
        let x = pick(-9...9)
        let a = pick(2...9)
        let b = pick(-9...9, not: [0])
        let c = pick(-9...9)
        switch pick(0...4) {
        case 0:
            // a(x + b) + c = k x + d
            let k = pick(0...4, not: [a])
            let d = a * (x + b) + c - k * x
            let right = State(a: a, b: a * b + c, c: k, d: d)
            var wrong: [(State, SlipKind)] = [
                (State(a: a, b: b + c, c: k, d: d), .distribution), (State(a: a, b: c - a * b, c: k, d: d), .sign),
                (State(a: a, b: a * b + c + 1, c: k, d: d), .arithmetic),
            ]
            if c != 0 { wrong.append((State(a: a, b: a * b, c: k, d: d), .droppedTerm)) }
            return ("\(a)(\(letter)\(signed(b)))\(signed(c)) = \(side(k, d))", right, wrong)
        case 1:
            // c - a(x + b) = d
            let first = pick(1...20)
            let d = first - a * (x + b)
            let wrong: [(State, SlipKind)] = [
                (State(a: -a, b: first + a * b, c: 0, d: d), .sign),
                (State(a: -a, b: first + b, c: 0, d: d), .distribution),
                (State(a: -a, b: first - b, c: 0, d: d), .distribution),
            ]
            return (
                "\(first) - \(a)(\(letter)\(signed(b))) = \(d)", State(a: -a, b: first - a * b, c: 0, d: d), wrong
            )
        case 2:
            // x/a + b = d, multiplied by a
            let d = x + b
            let right = State(a: 1, b: a * b, c: 0, d: a * d)
            let wrong: [(State, SlipKind)] = [
                (State(a: 1, b: b, c: 0, d: a * d), .divisionOfOneSide),
                (State(a: 1, b: a * b, c: 0, d: d), .divisionOfOneSide),
            ]
            return ("\(letter)/\(a)\(signed(b)) = \(d)", right, wrong)
        case 3:
            // (k x + b) / a = d
            let k = pick(2...7)
            let d = pick(-9...9, not: [0])
            let right = State(a: k, b: b, c: 0, d: a * d)
            let wrong: [(State, SlipKind)] = [
                (State(a: k, b: b, c: 0, d: d), .divisionOfOneSide),
                (State(a: k, b: b, c: 0, d: a * d + 1), .arithmetic),
            ]
            return ("(\(k)\(letter)\(signed(b)))/\(a) = \(d)", right, wrong)
        default:
            // a x + b + c x = d
            let more = pick(2...7)
            let d = (a + more) * x + b
            let right = State(a: a + more, b: b, c: 0, d: d)
            let wrong: [(State, SlipKind)] = [
                (State(a: a - more, b: b, c: 0, d: d), .sign), (State(a: a + more + 1, b: b, c: 0, d: d), .arithmetic),
                (State(a: a, b: b, c: 0, d: d), .droppedTerm),
            ]
            return ("\(a)\(letter)\(signed(b)) + \(more)\(letter) = \(d)", right, wrong)
        }
    }

    private func advanced(_ state: State, to stage: Stage) -> State {
        switch stage {
        case .expanded: state
        case .gathered: State(a: state.a - state.c, b: state.b, c: 0, d: state.d)
        case .isolated, .solved: State(a: state.a - state.c, b: 0, c: 0, d: state.d - state.b)
        }
    }

    private func slips(of state: State, at stage: Stage) -> [(State, SlipKind)] {
        let (a, b, c, d) = (state.a, state.b, state.c, state.d)
        switch stage {
        case .expanded: return []
        case .gathered:
            return [
                (State(a: a + c, b: b, c: 0, d: d), .sign), (State(a: a, b: b, c: 0, d: d), .droppedTerm),
                (State(a: a - c + 1, b: b, c: 0, d: d), .arithmetic),
            ]
        case .isolated:
            return [
                (State(a: a - c, b: 0, c: 0, d: d + b), .sign), (State(a: a - c, b: 0, c: 0, d: d), .droppedTerm),
                (State(a: a - c, b: 0, c: 0, d: d - b + 2), .arithmetic),
            ]
        case .solved:
            let n = d - b
            return [
                (State(a: 1, b: 0, c: 0, d: n - a), .wrongOperation),
                (State(a: 1, b: 0, c: 0, d: n * a), .wrongOperation),
                (State(a: 1, b: 0, c: 0, d: n), .divisionOfOneSide), (State(a: -a, b: 0, c: 0, d: n), .sign),
                (State(a: a, b: 0, c: 0, d: n + a), .arithmetic),
            ]
        }
    }

    // MARK: Writing

    private func text(_ state: State, at stage: Stage) -> String {
        guard stage == .solved else { return "\(side(state.a, state.b)) = \(side(state.c, state.d))" }
        guard let value = try? Rational(state.d, over: state.a) else { return "" }
        return "\(letter) = \(value)"
    }

    private func side(_ coefficient: Int, _ constant: Int) -> String {
        guard coefficient != 0 else { return "\(constant)" }
        let term = coefficient == 1 ? letter : coefficient == -1 ? "-\(letter)" : "\(coefficient)\(letter)"
        return term + signed(constant)
    }

    private func signed(_ value: Int) -> String {
        value == 0 ? "" : value < 0 ? " - \(-value)" : " + \(value)"
    }

    /// The same line as different people write it.
    private func decorated(_ line: String, at index: Int) -> String {
        switch style {
        case 1: String(line.filter { $0 != " " })
        case 2: line.replacing("-", with: "−").replacing("(", with: "（").replacing(")", with: "）")
        case 3: index == 0 ? "解：\(line)" : "所以 \(line)"
        case 4: "Step \(index + 1): $\(line)$"
        case 5: line.replacing("=", with: "＝").replacing("+", with: "＋")
        default: line
        }
    }
}

extension String {
    fileprivate func replacing(_ character: Character, with other: String) -> String {
        reduce(into: "") { text, next in
            if next == character { text += other } else { text.append(next) }
        }
    }
}
