// Drain: the order in which a server ends without losing anything.
// Spec: docs/reliability.md (draining), docs/protocol.md §3 (bye, 4412)

internal import NetIO
internal import Synchronization
internal import Telemetry

/// The order in which a server ends without losing anything: farewell, answers in flight, closes, the last writes.
///
/// Each wait is bounded; ``hurry()`` ends the long one at once. Any thread.
final class Drain: Sendable {
    private let wait: Duration
    private let log: Logger
    private let isHurried = Atomic<Bool>(false)

    /// `wait` is how long answers in flight may take.
    init(wait: Duration, log: Logger) {
        self.wait = wait
        self.log = log
    }

    /// Has answers in flight cut now; the next process ends their turns.
    func hurry() { isHurried.store(true, ordering: .relaxed) }

    /// Waits for the answers in flight, then closes what is left.
    func finish(_ units: [ShardUnit]) async {
        for unit in units { await unit.beginDrain() }
        let isOver = await poll(for: wait, untilHurried: true) {
            var isOver = true
            for unit in units where await !unit.drainStep() { isOver = false }
            return isOver
        }
        if !isOver { log.warning("answers in flight are cut") }
    }

    /// Closes what is left, and has everything written.
    func cut(_ units: [ShardUnit], _ store: (any SessionStore)?) async {
        for unit in units { await unit.cutConnections() }
        // A close frame that nobody answers is no reason to wait when there is a hurry.
        _ = await poll(for: Self.closeWait, untilHurried: true) {
            for unit in units where await !unit.hasNoConnections() { return false }
            return true
        }
        guard let store else { return }
        let isWritten = await poll(for: Self.writeWait) {
            for unit in units where await !unit.isWritten() { return false }
            return true
        }
        if !isWritten { log.error("the disk did not take the newest events") }
        let flag = Flag()
        store.close { flag.set() }
        if await !poll(for: Self.writeWait, { flag.isSet }) { log.error("the store was not closed in time") }
    }

    private final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    /// Looks again and again until it is so, for a time; whether it was.
    private func poll(
        for wait: Duration, untilHurried: Bool = false, _ isSo: () async -> Bool
    ) async -> Bool {
        let deadline = ContinuousClock.now + wait
        while true {
            if await isSo() { return true }
            if ContinuousClock.now >= deadline { return false }
            if untilHurried, isHurried.load(ordering: .relaxed) { return false }
            try? await Task.sleep(for: Self.pace)
        }
    }

    // MARK: Limits

    /// How often it is looked.
    static let pace = Duration.milliseconds(10)
    /// How long clients may take to answer the close frame.
    static let closeWait = Duration.seconds(1)
    /// How long the last writes may take, and how long closing the file may.
    static let writeWait = Duration.milliseconds(1_500)
}
