// OpenSteps: the steps of the newest turn that the student has not done yet.
// Spec: docs/protocol.md §5 rule 10

import TutorProtocol

/// The steps of the newest turn that the student has not done yet.
///
/// At most ``SessionConfiguration/steps``.
struct OpenSteps: Sendable, Hashable {
    private var turn = TurnID(0)
    private var numbers: Set<Int> = []

    /// Opens a step; those of an earlier turn are forgotten.
    mutating func open(_ step: Int, of turn: TurnID) {
        if self.turn != turn {
            self.turn = turn
            numbers.removeAll()
        }
        numbers.insert(step)
    }

    /// Closes a step; whether it was open.
    mutating func close(_ step: Int, of turn: TurnID) -> Bool {
        self.turn == turn && numbers.remove(step) != nil
    }

    /// Closes all.
    mutating func removeAll() { numbers.removeAll() }
}
