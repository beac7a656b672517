// LoadClient: the connections of the load generator, on one epoll.
// Source: epoll(7)

internal import CLinux
internal import Glibc
internal import NetIO

/// The connections of the load generator, on one level-triggered epoll; used by one thread.
///
/// The first reply on every connection is compared byte by byte, later ones by their length: the client shares a core
/// with the server, and what it does not do the server's caches keep.
final class LoadClient {
    private struct Peer {
        let descriptor: Int32
        /// Bytes of replies that are to come.
        var due = 0
        /// Bytes of `frames.request` that were asked for and not sent.
        var unsent = 0
        var isChecked = false
        /// When the message under way was sent, in nanoseconds.
        var sentAt: UInt64 = 0
    }

    private let frames: LoadFrames
    private let epoll: Int32
    private var peers: [Peer] = []
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 512)
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    private var turn = 0
    /// Messages that came back.
    private(set) var messages = 0
    /// Nanoseconds from sending to the whole reply, in rate mode.
    private(set) var latencies: [UInt64] = []

    init(_ frames: LoadFrames) throws(LoadError) {
        self.frames = frames
        epoll = chalkline_epoll_create()
        guard epoll >= 0 else { throw .systemCall("epoll_create1", code: errno) }
    }

    deinit {
        for peer in peers { close(peer.descriptor) }
        close(epoll)
        events.deallocate()
        buffer.deallocate()
    }

    /// Opens connections.
    func open(_ count: Int, to server: ListenAddress) throws(LoadError) {
        for index in 0..<count {
            let descriptor = try LoadSocket.open(server, index: index)
            peers.append(Peer(descriptor: descriptor))
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: UInt64(index)))
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw .systemCall("epoll_ctl", code: errno)
            }
        }
    }

    /// Sends one segment to each of the next `batch` connections and waits for every reply.
    func lockstep(batch: Int) throws(LoadError) {
        for _ in 0..<batch { try ask(next()) }
        var open = batch
        while open > 0 {
            try poll(nanoseconds: nil) { _ throws(LoadError) in open -= 1 }
        }
    }

    /// Sends `window` segments on every connection, from then on one for each reply.
    func fill(window: Int) throws(LoadError) {
        for index in peers.indices {
            for _ in 0..<window { try ask(index) }
        }
    }

    /// One wait of the closed loop.
    func closedStep() throws(LoadError) {
        try poll(nanoseconds: nil) { index throws(LoadError) in try self.ask(index) }
    }

    /// Sends at a fixed rate until a moment, each message on the next connection that has none under way.
    func send(rate: Int, until end: UInt64) throws(LoadError) {
        let interval = UInt64(1_000_000_000 / rate)
        var due = MonotonicClock.nanoseconds()
        var now = due
        while now < end {
            if now >= due {
                let index = next()
                // A server that is behind has no effect on when the next message is due, only on which.
                if peers[index].due == 0 {
                    peers[index].sentAt = now
                    try ask(index)
                }
                due += interval
            }
            now = MonotonicClock.nanoseconds()
            let wait = due > now ? min(due - now, end > now ? end - now : 0) : 0
            try poll(nanoseconds: wait) { index throws(LoadError) in
                self.latencies.append(MonotonicClock.nanoseconds() - self.peers[index].sentAt)
            }
            now = MonotonicClock.nanoseconds()
        }
    }

    /// Forgets what was measured, after the warm-up.
    func reset() {
        messages = 0
        latencies.removeAll(keepingCapacity: true)
    }

    private func next() -> Int {
        let index = turn
        turn = turn + 1 == peers.count ? 0 : turn + 1
        return index
    }

    private func ask(_ index: Int) throws(LoadError) {
        peers[index].due += frames.reply.count
        peers[index].unsent += frames.request.count
        try push(index)
    }

    /// Sends what was asked for, as far as the kernel takes it; the rest goes with the next reply.
    private func push(_ index: Int) throws(LoadError) {
        let size = frames.request.count
        while peers[index].unsent > 0 {
            let rest = peers[index].unsent % size
            let start = rest == 0 ? 0 : size - rest
            let count = frames.request.withUnsafeBytes {
                Glibc.send(
                    peers[index].descriptor, $0.baseAddress?.advanced(by: start), size - start, Int32(MSG_NOSIGNAL))
            }
            if count < 0 {
                guard errno == EAGAIN else { throw .systemCall("send", code: errno) }
                return
            }
            peers[index].unsent -= count
        }
    }

    /// Waits for replies and takes them; `replied` is called for each connection and segment whose reply is complete.
    private func poll(
        nanoseconds: UInt64?, _ replied: (Int) throws(LoadError) -> Void
    ) throws(LoadError) {
        let limit = nanoseconds ?? UInt64(Self.stallSeconds) * 1_000_000_000
        var wait = timespec(tv_sec: Int(limit / 1_000_000_000), tv_nsec: Int(limit % 1_000_000_000))
        let count = epoll_pwait2(epoll, events.baseAddress, Int32(events.count), &wait, nil)
        guard count >= 0 else {
            guard errno == EINTR else { throw .systemCall("epoll_pwait2", code: errno) }
            return
        }
        guard count > 0 || nanoseconds != nil else { throw .stalled }
        for place in 0..<Int(count) {
            let index = Int(events[place].data.u64)
            for _ in 0..<(try take(index)) { try replied(index) }
            if peers[index].unsent > 0 { try push(index) }
        }
    }

    /// Reads from one connection; returns how many segments are now answered whole.
    private func take(_ index: Int) throws(LoadError) -> Int {
        let size = frames.reply.count
        let before = peers[index].due
        let count = recv(peers[index].descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            guard count == 0 || errno != EAGAIN else { return 0 }
            throw count == 0 ? .closed : .systemCall("recv", code: errno)
        }
        guard count <= before else { throw .wrongReply }
        if !peers[index].isChecked { try check(index, count) }
        let after = before - count
        peers[index].due = after
        let done = (before + size - 1) / size - (after + size - 1) / size
        messages += done * frames.count
        return done
    }

    /// Compares bytes of the first reply on a connection.
    private func check(_ index: Int, _ count: Int) throws(LoadError) {
        let size = frames.reply.count
        let rest = peers[index].due % size
        let start = rest == 0 ? 0 : size - rest
        let length = min(count, size - start)
        let isEqual = frames.reply.withUnsafeBytes { $0[start..<start + length].elementsEqual(buffer[..<length]) }
        guard isEqual else { throw .wrongReply }
        if start + length == size { peers[index].isChecked = true }
    }

    /// How long a server may take for a reply.
    static let stallSeconds = 10
}
