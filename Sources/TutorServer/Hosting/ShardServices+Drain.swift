// ShardServices, draining: the end of a process that loses nothing.
// Spec: docs/reliability.md (draining), docs/protocol.md §3 (bye)

internal import NetIO
internal import TutorCore
internal import TutorProtocol

extension ShardServices {
    /// Says farewell to every client; no new work begins from now on.
    func beginDrain(on shard: isolated Shard) {
        guard !isDraining else { return }
        isDraining = true
        for connection in connections.values { connection.send(.bye(drainBye), on: shard) }
        _ = drainStep(on: shard)
    }

    /// Closes the connections that have nothing in flight; true when there is nothing left to wait for.
    func drainStep(on shard: isolated Shard) -> Bool {
        for connection in connections.values where connection.host.map({ $0.isSettled }) ?? true {
            connection.channel?.close(.drain, on: shard)
        }
        return connections.isEmpty && !sessions.values.contains { $0.session.isBusy }
    }

    /// Closes every connection, whatever is in flight.
    func cutConnections(on shard: isolated Shard) {
        for connection in connections.values { connection.channel?.close(.drain, on: shard) }
    }

    /// Whether the store has everything that it can have.
    var isWritten: Bool { writer?.isIdle ?? true }

    /// The answer to a question that comes too late.
    func drainRefusal(re: MessageID?) -> ErrorMessage {
        ErrorMessage(
            re: re, code: .busy, message: "the server is about to stop",
            retryMilliseconds: spread(configuration.drainSpread))
    }

    private var drainBye: Bye {
        Bye(
            reason: .drain, inMilliseconds: spread(configuration.drainSpread),
            // What lives in memory only ends with the process.
            resumable: commons.store != nil)
    }
}

extension SessionHost {
    /// Whether nothing runs for its client and everything has left.
    var isSettled: Bool { !session.isBusy && isSent }
}
