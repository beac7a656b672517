// Session, restoring: a session as it comes back from disk.
// Spec: docs/reliability.md (reading), docs/protocol.md §3 (epochs, durability), §5 rules 3 and 11

public import TutorProtocol

extension Session {
    /// Takes a session up as it is on disk, without a connection; ``Session/resume`` follows.
    ///
    /// A new epoch begins, and where the old one ended is remembered. A turn without an end is ended `failed`,
    /// `restarted`, with the text that is on disk. Screens, rings and open steps are not kept.
    ///
    /// - Parameters:
    ///   - stored: What is on disk.
    ///   - epoch: The new epoch.
    ///   - hello: The first message of the client that wants it.
    ///   - configuration: The settings and bounds.
    ///   - seed: What the session's random numbers come from.
    ///   - now: Monotonic time since the process began.
    ///   - wallNow: The same moment in milliseconds since 1970.
    public init(
        restoring stored: StoredSession, epoch: String, hello: Hello, configuration: SessionConfiguration, seed: UInt64,
        now: Duration, wallNow: Int64
    ) {
        let record = stored.session
        self.init(
            id: record.id, epoch: epoch, hello: hello, configuration: configuration, seed: seed, now: now,
            wallNow: wallNow, subject: record.subject, room: record.room)
        isAttached = false
        createdAt = record.createdAt
        keyGeneration = record.keyGeneration
        ladder = HintLadder(ceiling: record.hintCeiling)
        lostScreen = true
        log = EventLog(
            capacity: configuration.limits.logEvents, byteCapacity: configuration.limits.logBytes,
            stored: stored.events, lastSeq: record.lastSeq)
        savedSeq = log.lastSeq
        epochs = record.epochs
        if let last = epochs.indices.last, epochs[last].end == nil { epochs[last].end = savedSeq }
        epochs.append(SessionRecord.Epoch(name: epoch, end: nil))
        epochs.removeFirst(max(0, epochs.count - SessionRecord.maximumEpochs))
        lastTurn = max(record.lastTurn, stored.turns.last?.turn.number ?? 0)
        takeUp(stored.turns, wallNow: wallNow)
    }

    private mutating func takeUp(_ turns: [TurnRecord], wallNow: Int64) {
        let held: [EventLog.Merged] = log.events(after: log.firstSeq - 1) ?? []
        var texts: [TurnID: String] = [:]
        var ends: [TurnID: LoggedEvent] = [:]
        for event in held.map(\.event) {
            switch event.event {
            case .answerDelta(let delta): texts[delta.turn, default: ""] += delta.text
            case .turnEnd(let end): ends[end.turn] = event
            case .highlight, .nextAction, .stepObserved, .turnStart: break
            }
        }
        for record in turns {
            history.put(record)
            let age = max(0, wallNow - record.askedAt)
            asks.insert(record.ask, digest: record.digest, now: now - .milliseconds(age))
            asks.start(record.ask, seq: record.startSeq)
            let end = ends[record.turn]
            if let end, case .turnEnd(let event) = end.event {
                asks.end(record.ask, end)
                if record.ending == nil { keep(end.seq, event) } else { keepEnd(end) }
            } else if record.ending != nil {
                asks.end(record.ask, nil)
            } else {
                cut(record, text: texts[record.turn] ?? "", age: age)
            }
            let ending = history[record.turn]?.ending
            if ending?.status == .done, let line = ending?.summary { summaries.append(line) }
        }
    }
    /// Ends a turn that the restart cut.
    private mutating func cut(_ record: TurnRecord, text: String, age: Int64) {
        let end = TurnEnd(
            turn: record.turn, re: record.ask, status: .failed, reason: EndReason.restarted.wire, answer: text,
            summary: nil, dropped: [], usage: nil, firstTextMilliseconds: nil,
            durationMilliseconds: Int(clamping: age))
        let logged = log.append(.turnEnd(end))
        asks.end(record.ask, logged)
        keep(logged.seq, end)
    }
}
