// PlaybackClient: a playback bound to its host's timer.
// Spec: docs/models.md (built-in and scripted model)

import TutorCore

/// A playback bound to its host's timer and handler.
///
/// Confined to one shard.
final class PlaybackClient {
    private var playback: Playback
    private var live: Set<UInt64> = []
    private var timer = HostTimer()
    private let clock: MonotonicClock
    private let host: (HostRequest) -> Void
    private let handler: (UInt64, ModelEvent) -> Void

    /// Makes a client without calls.
    init(
        limits: ModelLimits, clock: MonotonicClock, host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) {
        playback = Playback(limits: limits)
        self.clock = clock
        self.host = host
        self.handler = handler
    }

    /// Adds a call; its first events come with the next timer.
    func start(_ steps: [PlaybackStep], token: UInt64, decodes: Bool) {
        live.insert(token)
        playback.start(steps, token: token, decodes: decodes, now: clock.now)
        arm()
    }

    /// Forgets a call.
    func cancel(token: UInt64) {
        guard live.remove(token) != nil else { return }
        playback.cancel(token: token)
        arm()
    }

    /// Forgets all calls.
    func cancelAll() {
        for token in live { playback.cancel(token: token) }
        live = []
        arm()
    }

    /// Plays what is due.
    func timerFired() {
        timer.fire()
        let now = clock.now
        while let (token, events) = playback.next(now: now) {
            for event in events {
                // The handler may have cancelled this call: asked again before each event.
                guard live.contains(token) else { break }
                if event.isLast { live.remove(token) }
                handler(token, event)
            }
        }
        arm()
    }

    private func arm() {
        if let wish = timer.set(playback.nextDue, now: clock.now) { host(wish) }
    }
}
