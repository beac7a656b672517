// TurnEvent+Log: which turn an event is of, and how much text it holds.
// Spec: docs/protocol.md §11 (log bytes)

public import TutorProtocol

extension TurnEvent {
    /// The turn that the event is of.
    public var turn: TurnID {
        switch self {
        case .answerDelta(let delta): delta.turn
        case .highlight(let highlight): highlight.turn
        case .nextAction(let action): action.turn
        case .stepObserved(let observed): observed.turn
        case .turnEnd(let end): end.turn
        case .turnStart(let start): start.turn
        }
    }

    /// Bytes of UTF-8 of the event's texts; what limits of bytes count.
    var textBytes: Int {
        switch self {
        case .answerDelta(let delta): delta.text.utf8.count
        case .highlight(let highlight): highlight.label?.utf8.count ?? 0
        case .nextAction(let action): action.text?.utf8.count ?? 0
        case .stepObserved, .turnStart: 0
        case .turnEnd(let end):
            end.dropped.reduce(end.answer.utf8.count + (end.summary?.utf8.count ?? 0)) {
                $0 + $1.element.utf8.count
            }
        }
    }
}
