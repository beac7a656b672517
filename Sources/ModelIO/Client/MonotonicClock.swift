// MonotonicClock: the time that calls are measured in.
// Spec: docs/models.md (timeouts)

/// The time that calls are measured in: monotonic, from an arbitrary origin.
///
/// Tests put in their own.
package struct MonotonicClock {
    private let read: () -> Duration

    /// Makes a clock that reads as told.
    package init(_ read: @escaping () -> Duration) { self.read = read }

    /// The machine's monotonic clock, which stands still while the machine sleeps.
    package static var system: MonotonicClock {
        let origin = SuspendingClock.now
        return MonotonicClock { origin.duration(to: SuspendingClock.now) }
    }

    /// The time now.
    package var now: Duration { read() }
}
