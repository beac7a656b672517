// StreamLoop: waits for many descriptors of a measuring program at once.
// Source: epoll(7)

internal import CLinux
internal import Glibc

/// Waits for many descriptors of a measuring program at once; waits are exact to the nanosecond, as far as the kernel's
/// timers are.
final class StreamLoop {
    private let epoll: Int32
    private var events = [epoll_event](repeating: epoll_event(), count: 512)

    init() throws(StreamSocketError) {
        epoll = chalkline_epoll_create()
        guard epoll >= 0 else { throw .system("epoll_create1", code: errno) }
    }

    deinit { close(epoll) }

    /// Tells of a descriptor by a number of the caller's when it is readable.
    func add(_ descriptor: Int32, tag: Int) throws(StreamSocketError) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(tag)))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw .system("epoll_ctl", code: errno) }
    }

    /// Waits until something is readable, at most until `deadline` (monotonic, nanoseconds), and returns the tags.
    func wait(until deadline: UInt64, now: UInt64) -> [Int] {
        let left = deadline > now ? deadline - now : 0
        var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
        let count = epoll_pwait2(epoll, &events, Int32(events.count), &time, nil)
        return events.prefix(max(0, Int(count))).map { Int($0.data.u64) }
    }
}
