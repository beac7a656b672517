// CallStages: which wait of a call is running, and when it is over.
// Spec: docs/models.md (timeouts)

package import TutorCore

/// Which wait of a call is running, and when it is over.
///
///     start   place   first byte of head   first text or thought      reason for the end   last event   gone
///       |--queue--|--------firstByte------|                                |------tail------|---drain---|
///                 |---------------firstDelta---------|--betweenBytes, again and again--|
///                 |------------------------------total------------------------------|
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

    /// A call that waits for a place.
    package init(timeouts: ModelTimeouts, now: Duration) {
        self.timeouts = timeouts
        begun = now
    }

    /// It has a place; again at a second exchange, whose first byte may take its time too.
    package mutating func place(now: Duration) {
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

    /// When the running wait is over.
    package var deadline: Duration {
        if let ended { return ended + Self.drain }
        guard let placed else { return begun + timeouts.queue }
        let total = placed + timeouts.total
        if let reasoned { return min(total, reasoned + timeouts.tail) }
        guard let lastByte else { return min(total, placed + timeouts.firstByte) }
        return min(total, hasDelta ? lastByte + timeouts.betweenBytes : placed + timeouts.firstDelta)
    }

    /// Whether the reason for the end is known, so that the end itself may be missing.
    package var hasReason: Bool { reasoned != nil }
}
