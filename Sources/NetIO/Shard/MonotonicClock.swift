// MonotonicClock: the one clock of the network layer.
// Source: clock_gettime(2), CLOCK_MONOTONIC

internal import Glibc

/// The one clock of the network layer: never steps, so a change of the wall clock moves no deadline.
public enum MonotonicClock {
    /// Nanoseconds since some fixed moment of this machine's run.
    public static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(truncatingIfNeeded: time.tv_sec) &* 1_000_000_000 &+ UInt64(truncatingIfNeeded: time.tv_nsec)
    }
}
