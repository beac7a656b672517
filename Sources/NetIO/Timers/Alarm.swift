// Alarm: wakes a shard's loop when a timer may be due.
// Source: timerfd_create(2)

internal import CLinux
internal import Glibc

/// Wakes a shard's loop when a timer may be due.
///
/// A time limit on `epoll_wait` would start and stop a timer of the kernel at each sleep, a tenth of what a lone message
/// costs. This one is set only when something is due earlier than what it is set for. When that was stopped meanwhile,
/// the loop wakes once for nothing.
final class Alarm {
    /// Readable once the time has come, until ``clear()``.
    let descriptor: Int32
    /// What it is set for, in milliseconds; the end of time when it is not set.
    private var due = UInt64.max

    init() throws(NetError) {
        descriptor = chalkline_timerfd()
        guard descriptor >= 0 else { throw .systemCall("timerfd_create", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sees to it that the loop wakes at a time in milliseconds of ``MonotonicClock``; nil needs no waking.
    func set(_ milliseconds: UInt64?) {
        guard let milliseconds, milliseconds < due else { return }
        due = milliseconds
        let (nanoseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        // Time 0 would switch it off. It cannot fail: the descriptor and the time are good.
        _ = chalkline_timerfd_set(descriptor, overflow ? UInt64(Int64.max) : max(1, nanoseconds))
    }

    /// Call when the descriptor is readable.
    func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
        due = .max
    }
}
