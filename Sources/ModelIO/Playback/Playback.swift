// Playback: calls whose events are known beforehand, played by time.
// Spec: docs/models.md (built-in and scripted model)

package import TutorCore

/// One thing that happens in a played call.
package enum PlaybackStep: Sendable, Hashable {
    /// Bytes of an event stream.
    case bytes([UInt8])
    /// An event as it is.
    case event(ModelEvent)
    /// Nothing happens for this time.
    case pause(Duration)
}

/// Calls whose events are known beforehand, played by time.
///
/// The state behind the built-in and the scripted model. Calls that are due at the same time are played in the order
/// of their tokens, so a run is the same every time.
struct Playback {
    private struct Call {
        var steps: [PlaybackStep]
        var position = 0
        var decoder: ChatStreamDecoder?
        /// When its next step is due; entries of the queue with another time are of no use any more.
        var due: Duration
        /// While it is paused, how long it was still to wait.
        var left: Duration?
    }

    private var calls: [UInt64: Call] = [:]
    private var queue = DueQueue()
    private let limits: ModelLimits

    /// Makes a playback without calls.
    init(limits: ModelLimits) { self.limits = limits }

    /// When the next call is due.
    ///
    /// A cancelled or paused call may still stand here; that only wakes the host once too often.
    var nextDue: Duration? { calls.isEmpty ? nil : queue.first?.due }

    /// Whether a call is still being played.
    func isPlaying(_ token: UInt64) -> Bool { calls[token] != nil }

    /// Adds a call.
    ///
    /// Its first step is due at once.
    ///
    /// - Parameters:
    ///   - steps: what happens.
    ///   - token: the call's name.
    ///   - decodes: whether the steps hold bytes, so that their end is the end of a response's body.
    ///   - now: the time.
    mutating func start(_ steps: [PlaybackStep], token: UInt64, decodes: Bool, now: Duration) {
        let isRefused = calls.count >= limits.playedCalls
        let refusal = PlaybackStep.event(.failed(.unavailable(detail: "too many calls at once")))
        calls[token] = Call(
            steps: isRefused ? [refusal] : steps,
            decoder: decodes && !isRefused ? ChatStreamDecoder(limits: limits) : nil, due: now)
        queue.insert(DueQueue.Entry(due: now, token: token))
    }

    /// Forgets a call.
    mutating func cancel(token: UInt64) {
        calls[token] = nil
        tidy()
    }

    /// Stops a call's time.
    mutating func pause(token: UInt64, now: Duration) {
        guard let due = calls[token]?.due else { return }
        calls[token]?.left = max(.zero, due - now)
        tidy()
    }

    /// Lets a paused call's time run on.
    ///
    /// It does not catch up: a reader that was slow once would get a flood.
    mutating func resume(token: UInt64, now: Duration) {
        guard let left = calls[token]?.left else { return }
        calls[token]?.left = nil
        calls[token]?.due = now + left
        queue.insert(DueQueue.Entry(due: now + left, token: token))
    }

    /// Takes back events of a call that has been paused since they were returned.
    mutating func putBack(_ events: [ModelEvent], token: UInt64) {
        var steps = events.map { PlaybackStep.event($0) }
        if var call = calls[token] {
            if let left = call.left { steps.append(.pause(left)) }
            call.steps.replaceSubrange(..<call.position, with: steps)
            call.position = 0
            call.left = .zero
            calls[token] = call
        } else {
            calls[token] = Call(steps: steps, due: .zero, left: .zero)
        }
    }

    /// Drops entries that are of no use any more.
    ///
    /// They are left until they come up, but never more of them than of live ones.
    private mutating func tidy() {
        guard queue.count > 2 * calls.count + 16 else { return }
        let calls = calls
        queue.keepOnly { entry in calls[entry.token].map { $0.left == nil && $0.due == entry.due } ?? false }
    }

    /// The next call that is due, with its events up to its next pause; nil: nothing is due.
    ///
    /// A call that has ended is forgotten when its last event has been returned.
    mutating func next(now: Duration) -> (token: UInt64, events: [ModelEvent])? {
        while let entry = queue.first, entry.due <= now {
            queue.removeFirst()
            guard var call = calls[entry.token], call.left == nil, call.due == entry.due else { continue }
            var due = entry.due
            var events: [ModelEvent] = []
            while call.position < call.steps.count, events.last?.isLast != true, due <= now {
                let step = call.steps[call.position]
                call.position += 1
                switch step {
                case .bytes(let bytes): events += call.decoder?.receive(bytes) ?? []
                case .event(let event): events.append(event)
                // Counted from when the step was due, so that a late timer does not slow the whole answer down.
                case .pause(let pause): due += pause
                }
            }
            if due > now, events.last?.isLast != true {
                call.due = due
                calls[entry.token] = call
                queue.insert(DueQueue.Entry(due: due, token: entry.token))
            } else {
                if events.last?.isLast != true { events += call.decoder?.finish(.complete) ?? [] }
                calls[entry.token] = nil
            }
            return (entry.token, events)
        }
        return nil
    }
}
