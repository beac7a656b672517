// ModelStore: a disk as simple as can be: takes a write, or loses it.
// Spec: docs/reliability.md (writing, reading)

import TutorCore
import TutorProtocol

/// A disk as simple as can be, for one session: takes a write whole, or not at all.
struct ModelStore {
    private(set) var record: SessionRecord?
    private(set) var turns: [TurnID: TurnRecord] = [:]
    private(set) var events: [SessionWrite.Entry] = []

    /// Takes a write; of the log only what has no gap to it stays.
    mutating func commit(_ write: SessionWrite) {
        record = write.session
        for turn in write.turns { turns[turn.turn] = turn }
        if let first = write.events.first, let last = events.last, first.firstSeq != last.event.seq + 1 { events = [] }
        events += write.events
    }

    mutating func erase() { self = ModelStore() }

    /// The session with the newest `limit` entries of its log; nil when it is not there.
    func load(limit: Int) -> StoredSession? {
        record.map {
            StoredSession(
                session: $0, turns: turns.values.sorted { $0.turn < $1.turn }, events: Array(events.suffix(limit)))
        }
    }
}
