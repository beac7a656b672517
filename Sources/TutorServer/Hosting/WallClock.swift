// WallClock: the time of day, for what people read.

internal import Glibc

/// The time of day, for what people and logs read.
///
/// Nothing is timed by it.
enum WallClock {
    /// Milliseconds since 1970.
    static func milliseconds() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }
}
