// PlaybackClient: a playback bound to its host's timer.
// Spec: docs/models.md (built-in and scripted model)

import TutorCore

/// A playback bound to its host's timer and handler.
///
/// Confined to one shard.
final class PlaybackClient {
    private var playback: Playback
    private var live: Set<UInt64> = []
    private var paused: Set<UInt64> = []
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
        paused.remove(token)
        playback.cancel(token: token)
        arm()
    }

    /// Holds a call back.
    func pause(token: UInt64) {
        guard live.contains(token), paused.insert(token).inserted else { return }
        playback.pause(token: token, now: clock.now)
        arm()
    }

    /// Lets a paused call go on.
    func resume(token: UInt64) {
        guard paused.remove(token) != nil else { return }
        playback.resume(token: token, now: clock.now)
        arm()
    }

    /// Forgets all calls.
    func cancelAll() {
        for token in live { playback.cancel(token: token) }
        live = []
        paused = []
        arm()
    }

    /// Plays what is due.
    func timerFired() {
        timer.fire()
        let now = clock.now
        while let (token, events) = playback.next(now: now) {
            for (index, event) in events.enumerated() {
                // The handler may have cancelled or paused this call: asked again before each event.
                guard live.contains(token) else { break }
                if paused.contains(token) {
                    playback.putBack(Array(events[index...]), token: token)
                    break
                }
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
