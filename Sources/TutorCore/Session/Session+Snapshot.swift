// Session, the snapshot: where things stand, for a client that cannot get what it missed.
// Spec: docs/protocol.md §3 (`session.snapshot`)

import ScreenCore
import TutorProtocol

extension Session {
    /// Where things stood at a `seq`: the running turn with what it shows, and the last few that are over.
    ///
    /// - Parameter seq: ``snapshotSeq``, or the newest.
    /// - Returns: One page, however long.
    func snapshot(upTo seq: Int64) -> SessionSnapshot {
        var running: SessionSnapshot.Running?
        if let turn = active, let start = history[turn.id]?.startSeq, start <= seq {
            running = SessionSnapshot.Running(
                turn: turn.id, re: turn.ask.id, text: turn.answer, shown: shown(of: turn.id))
        }
        let turns = recentEnds.compactMap { logged -> SessionSnapshot.Ended? in
            guard logged.seq <= seq, case .turnEnd(let end) = logged.event else { return nil }
            return SessionSnapshot.Ended(end, question: history[end.turn]?.question, shown: shown(of: end.turn))
        }
        return SessionSnapshot(lastSeq: seq, running: running, turns: turns)
    }

    /// The newest `seq` that a snapshot may hold where events wait for the disk.
    ///
    /// The newest of all where what follows could not be sent after it.
    var snapshotSeq: Int64 {
        log.canFollow(after: sendableSeq) ? sendableSeq : log.lastSeq
    }

    /// Keeps the end of a turn for snapshots to come.
    mutating func keepEnd(_ logged: LoggedEvent) {
        let capacity = max(1, configuration.snapshotTurns)
        if recentEnds.count >= capacity { recentEnds.removeFirst(recentEnds.count - capacity + 1) }
        recentEnds.append(logged)
    }

    private func shown(of turn: TurnID) -> SessionSnapshot.Shown {
        live.shown(of: turn, on: screen, now: now)
    }
}
