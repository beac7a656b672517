// SessionEffect+Reading: finds things in effects.
// Spec: docs/session.md (effects)

import TutorCore
import TutorProtocol

extension [SessionEffect] {
    var errors: [ErrorMessage] {
        compactMap { if case .send(.error(let error)) = $0 { error } else { nil } }
    }

    var resyncs: [ScreenResync] {
        compactMap { if case .send(.screenResync(let resync)) = $0 { resync } else { nil } }
    }

    var starts: [TurnStart] {
        compactMap {
            guard case .append(let logged) = $0, case .turnStart(let start) = logged.event else { return nil }
            return start
        }
    }

    var ends: [TurnEnd] {
        compactMap {
            guard case .append(let logged) = $0, case .turnEnd(let end) = logged.event else { return nil }
            return end
        }
    }
}

extension [SessionEffect] {
    var pages: [SessionSnapshot] {
        compactMap { if case .send(.sessionSnapshot(let page)) = $0 { page } else { nil } }
    }

    var welcome: Welcome? {
        for case .send(.welcome(let welcome)) in self { return welcome }
        return nil
    }

    var follows: [Int64] {
        compactMap { if case .follow(let seq) = $0 { seq } else { nil } }
    }
}

extension SessionEffect {
    var isStartModel: Bool {
        if case .startModel = self { true } else { false }
    }

    var isOK: Bool {
        if case .send(.ok) = self { true } else { false }
    }

    /// Whether this is a direct answer to the message.
    func answers(_ id: MessageID) -> Bool {
        guard case .send(let message) = self else { return false }
        return switch message {
        case .error(let error): error.re == id
        case .ok(let re): re == id
        case .pong(let re, _): re == id
        case .screenAck(let ack): ack.re == id
        case .screenResync(let resync): resync.re == id
        case .bye, .highlightUpdate, .limit, .sessionSnapshot, .turnState, .welcome: false
        }
    }
}
