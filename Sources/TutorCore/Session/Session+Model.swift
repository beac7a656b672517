// Session, the model's side: text, references and the end of a call become events.
// Spec: docs/protocol.md §5 rules 1, 6 and 8

import ScreenCore
import TutorProtocol

extension Session {
    /// Takes what a model says.
    ///
    /// Events of a call that is not the running one came too late, and nothing follows.
    public mutating func receive(_ event: ModelEvent, of call: ModelCallID, now: Duration) -> [SessionEffect] {
        // The turn is taken out while it is worked on: two owners of its text would copy it for each chunk.
        guard var turn = active, turn.call.id == call else { return [] }
        active = nil
        advance(to: now)
        let isRunning: Bool
        switch event {
        case .reasoning:
            isRunning = true
        case .usage(let usage):
            turn.call.reported = usage
            isRunning = true
        case .text(let text):
            isRunning = take(text, of: &turn)
        case .finished(let reason):
            isRunning = finishCall(reason, of: &turn)
        case .failed(let error):
            isRunning = failCall(error, of: &turn)
        }
        if isRunning { active = turn }
        return takeEffects()
    }

    /// Takes a piece of the stream; false when it was one too many and the turn is over.
    private mutating func take(_ text: String, of turn: inout ActiveTurn) -> Bool {
        let (fitting, isCut) = turn.call.admit(text, limit: configuration.answerBytes)
        show(turn.parser.receive(fitting), of: &turn)
        guard isCut else { return true }
        emit(.cancelModel(turn.call.id))
        show(turn.parser.finish(), of: &turn)
        // What is cut of a repair is not the answer.
        conclude(turn, cutBy: turn.phase == .repairing ? nil : .length)
        return false
    }

    /// Takes the end of the stream; false when it is the end of the turn too.
    private mutating func finishCall(_ reason: FinishReason, of turn: inout ActiveTurn) -> Bool {
        show(turn.parser.finish(), of: &turn)
        switch reason {
        case .contentFilter where turn.phase != .repairing:
            end(turn, .failed, reason: .filtered)
        case .length where turn.phase != .repairing:
            conclude(turn, cutBy: .length)
        case .contentFilter, .length, .stop, .toolCalls:
            // Rule 8: all targets dead, one repair; of a repair nothing but its targets counts.
            if turn.phase != .repairing, turn.lostAllTargets, !turn.isBlank, startRepair(of: &turn) { return true }
            conclude(turn, cutBy: nil)
        }
        return false
    }

    /// Takes the failure of a call, which keeps the text that came; false, since the turn is over.
    private mutating func failCall(_ error: ModelError, of turn: inout ActiveTurn) -> Bool {
        show(turn.parser.finish(), of: &turn)
        if turn.phase == .repairing {
            conclude(turn, cutBy: nil)
        } else {
            end(turn, .failed, reason: EndReason(error))
        }
        return false
    }

    /// Ends a turn whose model has said all it will.
    private mutating func conclude(_ turn: consuming ActiveTurn, cutBy reason: EndReason?) {
        if turn.isBlank, turn.aliveTargetCount == 0 {
            end(turn, .failed, reason: .empty)
            return
        }
        if turn.hasNoTargets { showDerived(of: &turn) }
        end(turn, .done, reason: reason)
    }

    /// Asks once more, only for targets that exist; false where nothing can be pointed at any more.
    private mutating func startRepair(of turn: inout ActiveTurn) -> Bool {
        let lesson = turn.lessonAlive(on: screen)
        guard !lesson.elements.isEmpty else { return false }
        turn.closeCall(estimator: TokenEstimator())
        var prompt = turn.prompt
        prompt.repairNote = PromptBuilder.repairNote(answer: turn.answer)
        let messages = PromptBuilder().build(prompt)
        let call = nextCall(messages)
        turn.phase = .repairing
        turn.parser = AnswerParser()
        turn.call = call
        emit(.send(.turnState(turn.id, .repairing)))
        emit(
            .startModel(
                ModelRequest(
                    messages: messages, maximumOutputTokens: configuration.maximumOutputTokens, lesson: lesson),
                call: turn.call.id))
        return true
    }
}
