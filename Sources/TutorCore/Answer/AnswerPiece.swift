// AnswerPiece: what a piece of a model's answer turned out to be.
// Spec: docs/architecture.md (what the model says)

public import TutorProtocol

/// What a piece of a model's answer turned out to be.
public enum AnswerPiece: Sendable, Hashable {
    /// The model wants the student to do something with an element.
    case action(alias: Int, verb: NextAction.Verb, argument: String?)
    /// The model points at an element.
    case point(alias: Int)
    /// The model's own line about the turn, for later prompts; never empty. The last one counts.
    case summary(String)
    /// Text for the student, without tags; never empty.
    case text(String)

    /// Unicode scalars that the piece adds to the student's text, the unit of `at`.
    public var scalarCount: Int {
        switch self {
        case .action, .point, .summary: 0
        case .text(let text): text.unicodeScalars.count
        }
    }
}
