// CallStages: which wait of a call is running, and when it is over.
// Spec: docs/models.md (timeouts)

package import TutorCore

/// Which wait of a call is running, and when it is over.
///
///     start   place   first byte of head   first text or thought      reason for the end   last event   gone
///       |--queue--|--------firstByte------|                                |------tail------|---drain---|
///                 |---------------firstDelta---------|--betweenBytes, again and again--|
///                 |------------------------------total------------------------------|
///
/// While a call is held back by its host, only the waits up to the head, the total and the drain run.
package struct CallStages: Sendable, Hashable {
    /// How long the rest of a finished body may take.
    ///
    /// 1 s: the chunk of length zero is all that is missing.
    package static let drain: Duration = .seconds(1)

    private let timeouts: ModelTimeouts
    private let begun: Duration
    private var placed: Duration?
    private var lastByte: Duration?
    private var hasDelta = false
    private var reasoned: Duration?
    private var ended: Duration?
    /// Since when the call is held back; from its place at the earliest.
    private var pausedSince: Duration?
    /// How long it has been held back before, which the wait for the first text does not count.
    private var pausedTime: Duration = .zero

    /// A call that waits for a place.
    package init(timeouts: ModelTimeouts, now: Duration) {
        self.timeouts = timeouts
        begun = now
    }

    /// It has a place; again at a second exchange, whose first byte may take its time too.
    package mutating func place(now: Duration) {
        if placed == nil, pausedSince != nil { pausedSince = now }
        placed = placed ?? now
        lastByte = nil
    }

    /// Bytes came.
    package mutating func hear(now: Duration) { lastByte = now }

    /// Events came; text and thoughts are what the first wait is for.
    package mutating func hear(_ events: [ModelEvent]) {
        for event in events {
            switch event {
            case .reasoning, .text: hasDelta = true
            case .failed, .finished, .usage: break
            }
        }
    }

    /// The reason for the end came.
    package mutating func hearReason(now: Duration) { reasoned = reasoned ?? now }

    /// The last event is out.
    package mutating func end(now: Duration) { ended = ended ?? now }

    /// The call is held back: that the endpoint is not heard is no fault of its own.
    package mutating func pause(now: Duration) { pausedSince = pausedSince ?? now }

    /// The call goes on, and the wait that was running with it.
    package mutating func resume(now: Duration) {
        guard let since = pausedSince else { return }
        pausedSince = nil
        guard placed != nil else { return }
        pausedTime += now - since
        if lastByte != nil { lastByte = now }
        reasoned = reasoned.map { $0 + (now - max(since, $0)) }
    }

    /// When the running wait is over.
    package var deadline: Duration {
        if let ended { return ended + Self.drain }
        guard let placed else { return begun + timeouts.queue }
        let total = placed + timeouts.total
        if pausedSince != nil, lastByte != nil { return total }
        if let reasoned { return min(total, reasoned + timeouts.tail) }
        guard let lastByte else { return min(total, placed + timeouts.firstByte) }
        let wait = hasDelta ? lastByte + timeouts.betweenBytes : placed + pausedTime + timeouts.firstDelta
        return min(total, wait)
    }

    /// Whether the reason for the end is known, so that the end itself may be missing.
    package var hasReason: Bool { reasoned != nil }
}
