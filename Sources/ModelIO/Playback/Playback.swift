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
    }

    private var calls: [UInt64: Call] = [:]
    private var queue = DueQueue()
    private let limits: ModelLimits

    /// Makes a playback without calls.
    init(limits: ModelLimits) { self.limits = limits }

    /// When the next call is due.
    ///
    /// A cancelled call may still stand here; that only wakes the host once too often.
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
            decoder: decodes && !isRefused ? ChatStreamDecoder(limits: limits) : nil)
        queue.insert(DueQueue.Entry(due: now, token: token))
    }

    /// Forgets a call.
    mutating func cancel(token: UInt64) {
        calls[token] = nil
        // Entries of cancelled calls are left until they come up, but never more of them than of live ones.
        if queue.count > 2 * calls.count + 16 {
            let calls = calls
            queue.keepOnly { calls[$0.token] != nil }
        }
    }

    /// The next call that is due, with its events up to its next pause; nil: nothing is due.
    ///
    /// A call that has ended is forgotten when its last event has been returned.
    mutating func next(now: Duration) -> (token: UInt64, events: [ModelEvent])? {
        while let entry = queue.first, entry.due <= now {
            queue.removeFirst()
            guard var call = calls[entry.token] else { continue }
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
