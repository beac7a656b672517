// LogEntry: one entry of the log: an event, or a run of adjacent pieces of a turn's text.
// Spec: docs/protocol.md §2 (merging)

import TutorProtocol

/// One entry of the log: an event, or a run of adjacent pieces of one turn's text.
///
/// A piece that comes back from disk stands for all the pieces that it was written for; nobody can stand inside it.
///
/// A streamed answer is thousands of small pieces. As a run each costs its text and four bytes, and still keeps its own
/// `seq`, so that a reader may stand between any two of them.
struct LogEntry: Sendable, Hashable {
    /// Longest run, in bytes: the log loses its oldest text in steps of this size.
    static let maximumRunBytes = 16_384

    /// The `seq` of the event, or of the first piece.
    let firstSeq: Int64
    /// The turn.
    let turn: TurnID
    /// The event; nil for a run.
    private let event: TurnEvent?
    /// How many events ``event`` stands for.
    private let span: Int
    /// The texts of a run, one after the other.
    private var bytes: [UInt8] = []
    /// Where each piece of a run ends.
    private var ends: [Int32] = []

    init(_ event: TurnEvent, seq: Int64) {
        firstSeq = seq
        turn = event.turn
        span = 1
        if case .answerDelta(let delta) = event {
            self.event = nil
            add(delta)
        } else {
            self.event = event
        }
    }

    /// Takes an entry as it is on disk.
    init(_ stored: SessionWrite.Entry) {
        firstSeq = stored.firstSeq
        turn = stored.event.event.turn
        span = Int(clamping: stored.event.seq - stored.firstSeq) + 1
        if span == 1, case .answerDelta(let delta) = stored.event.event {
            event = nil
            add(delta)
        } else {
            event = stored.event.event
        }
    }

    /// How many events it stands for.
    var count: Int { event == nil ? ends.count : span }
    /// The `seq` of the last of them.
    var lastSeq: Int64 { firstSeq + Int64(count) - 1 }
    /// Whether a reader may stand before the n-th event.
    func canBegin(at offset: Int) -> Bool { event == nil || offset == 0 }

    /// What it counts for in the log's limit of bytes.
    var cost: Int { event?.textBytes ?? bytes.count + 4 * ends.count }

    /// Whether it is a `turn.start`.
    var isStart: Bool {
        if case .turnStart = event { true } else { false }
    }

    /// Adds a piece at the end of a run; false when it has to begin a new one.
    mutating func extend(with event: TurnEvent) -> Bool {
        guard self.event == nil, case .answerDelta(let delta) = event, delta.turn == turn,
            delta.text.utf8.count <= Self.maximumRunBytes - bytes.count
        else { return false }
        add(delta)
        return true
    }

    /// The events from the n-th on, each as it was logged.
    func events(from offset: Int) -> [EventLog.Merged] {
        guard event == nil else { return [merged(from: 0, byteLimit: 0)] }
        return (offset..<ends.count).map { merged(from: $0, byteLimit: 0) }
    }

    /// The events from the n-th on as one message; of a run as many pieces as `byteLimit` allows, but at least one.
    func merged(from offset: Int, byteLimit: Int) -> EventLog.Merged {
        if let event {
            return EventLog.Merged(
                event: LoggedEvent(seq: lastSeq, event: event), fromSeq: span > 1 ? firstSeq : nil)
        }
        let start = start(of: offset)
        var last = offset
        while last + 1 < ends.count, Int(ends[last + 1]) - start <= byteLimit { last += 1 }
        let logged = LoggedEvent(seq: firstSeq + Int64(last), event: .answerDelta(delta(offset...last)))
        return EventLog.Merged(event: logged, fromSeq: last == offset ? nil : firstSeq + Int64(offset))
    }

    private mutating func add(_ delta: AnswerDelta) {
        bytes.append(contentsOf: delta.text.utf8)
        // A single piece is as long as the longest answer at most, so its end fits.
        ends.append(Int32(clamping: bytes.count))
    }

    private func start(of piece: Int) -> Int {
        piece == 0 ? 0 : Int(ends[piece - 1])
    }

    private func delta(_ pieces: ClosedRange<Int>) -> AnswerDelta {
        let text = bytes[start(of: pieces.lowerBound)..<Int(ends[pieces.upperBound])]
        return AnswerDelta(turn: turn, text: String(decoding: text, as: UTF8.self))
    }
}
