// EventLog: what happened in a session, numbered, bounded.
// Spec: docs/protocol.md §2 (the log, merging)

public import TutorProtocol

/// What happened in a session: events numbered 1, 2, … without gaps.
///
/// The oldest leave when there are too many entries or too many bytes of text; the newest always stays. A run of
/// adjacent pieces of one turn's text is one entry.
///
/// The log is also the queue of every connection: a connection keeps the `seq` it has sent and encodes what follows
/// when its socket has room, so a slow reader costs no memory and gets many small pieces of text as one.
public struct EventLog: Sendable, Hashable {
    /// One message to send: an event, or several adjacent pieces of a turn's text as one.
    public struct Merged: Sendable, Hashable {
        /// The event, with the `seq` of the last of the pieces.
        public var event: LoggedEvent
        /// The `seq` of the first of the pieces; nil for a single event.
        public var fromSeq: Int64?

        /// Makes a message.
        public init(event: LoggedEvent, fromSeq: Int64? = nil) {
            self.event = event
            self.fromSeq = fromSeq
        }
    }

    private let capacity: Int
    private let byteCapacity: Int
    /// Live entries begin at ``head``; what is before it is cut off in large pieces, so that eviction costs O(1) on
    /// average.
    private var entries: [LogEntry] = []
    private var head = 0
    /// Bytes of text of the live entries, and four for each piece of a run.
    public private(set) var byteCount = 0
    /// The newest `seq`; 0 for none.
    public private(set) var lastSeq: Int64 = 0

    /// Makes an empty log of at most `capacity` entries and `byteCapacity` bytes of text.
    public init(capacity: Int, byteCapacity: Int) {
        self.capacity = max(1, capacity)
        self.byteCapacity = max(0, byteCapacity)
    }

    /// Makes a log of what is on disk, oldest first and without gaps up to `lastSeq`; what does not reach it is dropped.
    public init(capacity: Int, byteCapacity: Int, stored: [SessionWrite.Entry], lastSeq: Int64) {
        self.init(capacity: capacity, byteCapacity: byteCapacity)
        self.lastSeq = max(0, lastSeq)
        var start = self.lastSeq + 1
        var kept: [SessionWrite.Entry] = []
        for entry in stored.reversed() {
            guard entry.firstSeq > 0, entry.firstSeq <= entry.event.seq, entry.event.seq == start - 1 else { break }
            start = entry.firstSeq
            // A long answer is many entries, one a flush: rather lose places to stand at than text.
            if stored.count > self.capacity, let last = kept.last, let joined = entry.joined(with: last) {
                kept[kept.count - 1] = joined
            } else {
                kept.append(entry)
            }
        }
        entries = kept.reversed().map { LogEntry($0) }
        byteCount = entries.reduce(0) { $0 + $1.cost }
        trim()
    }
    /// How many entries are held.
    public var entryCount: Int { entries.count - head }

    /// The oldest `seq` that is held; one above ``lastSeq`` when nothing is.
    public var firstSeq: Int64 { head < entries.count ? entries[head].firstSeq : lastSeq + 1 }

    /// Numbers an event and keeps it.
    public mutating func append(_ event: TurnEvent) -> LoggedEvent {
        lastSeq += 1
        let last = entries.count - 1
        if last >= head {
            byteCount -= entries[last].cost
            if entries[last].extend(with: event) {
                byteCount += entries[last].cost
            } else {
                byteCount += entries[last].cost
                add(event)
            }
        } else {
            add(event)
        }
        trim()
        return LoggedEvent(seq: lastSeq, event: event)
    }

    /// Whether a reader that has everything up to `seq` can go on without a gap.
    ///
    /// False when some of what follows is gone, when it is ahead of the log, and when it stands inside a piece that came
    /// back from disk as one.
    public func canFollow(after seq: Int64) -> Bool {
        guard seq <= lastSeq, seq >= firstSeq - 1 else { return false }
        guard let (index, offset) = find(seq + 1) else { return true }
        return entries[index].canBegin(at: offset)
    }

    /// The events after a `seq`, each as it was logged; nil when ``canFollow(after:)`` is false.
    public func events(after seq: Int64) -> [Merged]? {
        guard canFollow(after: seq) else { return nil }
        guard let (index, offset) = find(seq + 1) else { return [] }
        return entries[index].events(from: offset) + entries[(index + 1)...].flatMap { $0.events(from: 0) }
    }

    /// The events of the turn whose `turn.start` has this `seq`, up to its end or as far as it got; nil when the start
    /// is not held any more.
    public func events(ofTurnStartedAt seq: Int64) -> [Merged]? {
        guard let (index, offset) = find(seq) else { return nil }
        let turn = entries[index].turn
        var found = entries[index].events(from: offset)
        for entry in entries[(index + 1)...] where entry.turn == turn {
            found += entry.events(from: 0)
            if case .turnEnd = found.last?.event.event { break }
        }
        return found
    }

    /// The next message for a reader that has everything up to `seq`: one event, or as many adjacent pieces of one
    /// turn's text as `byteLimit` allows.
    ///
    /// Nil when there is nothing new, or when some of it is gone.
    public func next(after seq: Int64, byteLimit: Int) -> Merged? {
        guard seq < lastSeq, canFollow(after: seq), let (index, offset) = find(seq + 1) else { return nil }
        return entries[index].merged(from: offset, byteLimit: byteLimit)
    }

    /// What is held of the events after a `seq`, for the disk: a run of text as one entry.
    public func entries(after seq: Int64) -> [SessionWrite.Entry] {
        guard seq < lastSeq, let (index, offset) = find(max(seq + 1, firstSeq)) else { return [] }
        return entries[index...].enumerated().map { place, entry in
            let merged = entry.merged(from: place == 0 ? offset : 0, byteLimit: .max)
            return SessionWrite.Entry(firstSeq: merged.fromSeq ?? merged.event.seq, event: merged.event)
        }
    }

    /// The first `turn.start` that is held after a `seq`; nil for none.
    public func firstStart(after seq: Int64) -> Int64? {
        guard seq < lastSeq, let (index, _) = find(max(seq + 1, firstSeq)) else { return nil }
        return entries[index...].first { $0.isStart }?.firstSeq
    }

    /// Drops every entry that ends before a `seq`; numbers go on.
    public mutating func removeAll(before seq: Int64) {
        while head < entries.count, entries[head].lastSeq < seq {
            byteCount -= entries[head].cost
            head += 1
        }
        entries.removeFirst(head)
        head = 0
    }

    private mutating func trim() {
        while entryCount > 1, entryCount > capacity || byteCount > byteCapacity {
            byteCount -= entries[head].cost
            head += 1
        }
        if head >= 64, head * 2 >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
    }

    private mutating func add(_ event: TurnEvent) {
        let entry = LogEntry(event, seq: lastSeq)
        byteCount += entry.cost
        entries.append(entry)
    }

    /// The entry that holds a `seq`, and the place in it; by halving, since entries stand for different numbers.
    private func find(_ seq: Int64) -> (index: Int, offset: Int)? {
        guard seq >= firstSeq, seq <= lastSeq else { return nil }
        var low = head
        var high = entries.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if entries[middle].firstSeq <= seq { low = middle } else { high = middle - 1 }
        }
        // Within one entry, so the difference is small.
        return (low, Int(seq - entries[low].firstSeq))
    }
}

extension SessionWrite.Entry {
    /// This entry and the one after it as one; nil where they are not pieces of one text that is short enough.
    fileprivate func joined(with next: Self) -> Self? {
        guard case .answerDelta(let piece) = event.event, case .answerDelta(let more) = next.event.event,
            piece.turn == more.turn, piece.text.utf8.count + more.text.utf8.count <= LogEntry.maximumRunBytes
        else { return nil }
        let delta = AnswerDelta(turn: piece.turn, text: piece.text + more.text)
        return Self(firstSeq: firstSeq, event: LoggedEvent(seq: next.event.seq, event: .answerDelta(delta)))
    }
}
