// Session, the answer: text, rings and steps go out in the order in which the model wrote them.
// Spec: docs/protocol.md §5 rules 6, 8, 9 and 10

import ScreenCore
import TutorProtocol

extension Session {
    /// Shows what the parser read.
    ///
    /// Adjacent texts go out as one; of a repair only the targets count.
    mutating func show(_ pieces: [AnswerPiece], of turn: inout ActiveTurn) {
        var text = ""
        for piece in pieces {
            switch piece {
            case .text(let more):
                if turn.phase != .repairing { text += more }
            case .summary(let line):
                if turn.phase != .repairing { turn.summary = line }
            case .point(let alias):
                say(text, of: &turn)
                text = ""
                point(at: alias, of: &turn)
            case .action(let alias, let verb, let argument):
                say(text, of: &turn)
                text = ""
                propose(verb, on: alias, argument: argument, of: &turn)
            }
        }
        say(text, of: &turn)
    }

    /// Points at the element whose label the answer quotes, where the model set no tag.
    mutating func showDerived(of turn: inout ActiveTurn) {
        if let alias = QuotedLabel().derivedTarget(answer: turn.answer, sent: turn.sent, pinned: turn.pinned) {
            point(at: alias, of: &turn)
        }
    }

    private mutating func say(_ text: String, of turn: inout ActiveTurn) {
        guard !text.isEmpty else { return }
        if turn.phase == .thinking {
            turn.phase = .answering
            emit(.send(.turnState(turn.id, .answering)))
        }
        turn.add(text, now: now)
        append(.answerDelta(AnswerDelta(turn: turn.id, text: text)))
    }

    /// Puts a ring on an element; once a turn, and only as many at once as a person can follow.
    private mutating func point(at alias: Int, of turn: inout ActiveTurn) {
        guard let element = resolve(alias, of: &turn), turn.ring(element.serial),
            live.ringCount(now: now) < configuration.limits.highlights
        else { return }
        let ring = Highlight(
            turn: turn.id, at: turn.scalarCount, element: element.id, box: element.element.box,
            revision: screen.revision, ttlMilliseconds: configuration.highlightLifetime.wholeMilliseconds)
        append(.highlight(ring))
        live.addRing(ring, on: element, until: now + configuration.highlightLifetime)
    }

    /// Proposes a step.
    private mutating func propose(
        _ verb: NextAction.Verb, on alias: Int, argument: String?, of turn: inout ActiveTurn
    ) {
        guard let element = resolve(alias, of: &turn), let step = turn.takeStep(limit: configuration.steps) else {
            return
        }
        let action = NextAction(
            turn: turn.id, at: turn.scalarCount, step: step, verb: verb, element: element.id,
            box: element.element.box, revision: screen.revision, text: argument)
        append(.nextAction(action))
        live.addStep(action, on: element)
        openSteps.open(step, of: turn.id)
    }

    /// The element that an alias means, as it is now; nil, and noted as dropped, when it must not be shown (rule 8).
    private mutating func resolve(_ alias: Int, of turn: inout ActiveTurn) -> ScreenElement? {
        switch TargetValidator().resolve(alias, sent: turn.sent, pinned: turn.pinned, current: screen) {
        case .success(let element):
            turn.noteTarget(isAlive: true)
            return element
        case .failure(let dropped):
            turn.noteTarget(isAlive: false)
            turn.drop(dropped, limit: configuration.droppedTargets)
            return nil
        }
    }
}
