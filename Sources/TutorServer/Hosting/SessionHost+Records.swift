// SessionHost, records: what students erase and say about answers.
// Spec: docs/protocol.md §8

internal import NetIO
internal import TutorCore
internal import TutorProtocol

extension SessionHost {
    /// Erases what is kept, then says so.
    func forget(all: Bool, re: MessageID?, on shard: isolated Shard) {
        guard let store = services.commons.store else { return acknowledge(re, isDone: true, on: shard) }
        let done = completion(re)
        if all, let subject = session.subject {
            store.forget(subject: subject, done: done)
        } else {
            store.forget(session: id, done: done)
        }
    }

    /// Keeps what the student thought of a turn, then says so.
    func keepFeedback(turn: TurnID, value: Int, text: String?, re: MessageID?, on shard: isolated Shard) {
        guard let store = services.commons.store else { return acknowledge(re, isDone: true, on: shard) }
        store.addFeedback(
            session: id, turn: turn, value: value, text: text, at: WallClock.milliseconds(), done: completion(re))
    }

    /// Answers on whichever shard the session is by then.
    private func completion(_ re: MessageID?) -> @Sendable (Bool) -> Void {
        let (id, own, directory) = (id, services.port, services.commons.directory)
        return { isDone in
            (directory.port(of: id) ?? own).post { services, shard in
                services.sessions[id]?.acknowledge(re, isDone: isDone, on: shard)
            }
        }
    }

    private func acknowledge(_ re: MessageID?, isDone: Bool, on shard: isolated Shard) {
        if !isDone {
            send(.error(ErrorMessage(re: re, code: .storageDegraded, message: "the disk did not take it")), on: shard)
        } else if let re {
            send(.ok(re: re), on: shard)
        }
    }
}
