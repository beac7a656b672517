// Shard: one event loop with everything it owns.
// Spec: docs/architecture.md (shards), docs/decisions/0001-shard-loop.md

internal import CLinux
internal import Dispatch
internal import Glibc

/// One event loop with everything it owns: connections, timers, the model calls of its sessions, shared buffers.
///
/// A shard is an actor whose executor is a loop that blocks in `epoll_wait` on the shard's own serial queue. Code that
/// runs on it takes `on shard: isolated Shard`, so the compiler refuses any other use of what the shard owns. From
/// elsewhere work comes in by ``post(_:)`` or by `await`; never by a Dispatch `async` to the shard's queue, which
/// would not run while the loop does.
///
/// Start it once with ``start()``; nothing on a shard may block.
public actor Shard {
    /// Where this shard stands in its group, from 0.
    public nonisolated let index: Int
    nonisolated let executor: ShardExecutor
    let epoll: Int32

    // Accesses to what every message touches are not checked at run time: the actor's isolation is the proof.
    /// Nanoseconds on ``MonotonicClock`` at the start of the batch being handled; one clock read a wake-up.
    @exclusivity(unchecked) public private(set) var now: UInt64
    @exclusivity(unchecked) var descriptors = DescriptorTable()
    @exclusivity(unchecked) private var timers: TimerWheel<() -> Void>
    // Filled by `epoll_wait` between batches and read within them, both by the loop alone.
    private nonisolated(unsafe) let events: UnsafeMutableBufferPointer<epoll_event>
    /// Where connections are read into.
    ///
    /// Valid only while a handler runs.
    // Touched by isolated code and, once nothing else can be, by `deinit`.
    nonisolated(unsafe) let readBuffer: UnsafeMutableRawBufferPointer
    @exclusivity(unchecked) private var spareBuffers: [[UInt8]] = []
    @exclusivity(unchecked) var dirty: [Connection] = []
    /// The connection whose readiness is being handled; it is flushed when its handler returns.
    @exclusivity(unchecked) var current: Connection?
    private var isStopping = false
    // Wakes the loop for timers; touched by isolated code only.
    private nonisolated(unsafe) let alarm: Alarm
    /// What came with jobs, to be handled after them.
    private var interrupted: (count: Int, entries: [Mailbox.Entry])?

    /// The executor that is the shard's loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Makes a shard that does not run yet.
    ///
    /// - Throws: ``NetError/systemCall(_:code:)`` when the system gives no epoll or eventfd descriptor.
    public init(index: Int) throws(NetError) {
        let mailbox = try Mailbox()
        let alarm = try Alarm()
        let epoll = chalkline_epoll_create()
        guard epoll >= 0 else { throw .systemCall("epoll_create1", code: errno) }
        self.index = index
        self.epoll = epoll
        executor = ShardExecutor(label: "chalkline.shard.\(index)", mailbox: mailbox)
        self.alarm = alarm
        now = MonotonicClock.nanoseconds()
        timers = TimerWheel(startMilliseconds: now / 1_000_000)
        events = .allocate(capacity: Self.eventsPerBatch)
        readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
        for (descriptor, tag) in [(mailbox.descriptor, Self.mailboxTag), (alarm.descriptor, Self.alarmTag)] {
            var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: tag))
            guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
                throw .systemCall("epoll_ctl", code: errno)
            }
        }
    }

    deinit {
        close(epoll)
        events.deallocate()
        readBuffer.deallocate()
    }

    /// Starts the loop on the shard's own thread.
    ///
    /// Call once.
    public nonisolated func start() {
        executor.queue.async { self.run() }
    }

    /// Runs work on the shard, in the order posted by one thread.
    ///
    /// Any thread; never waits.
    public nonisolated func post(_ work: @escaping @Sendable (isolated Shard) -> Void) {
        executor.mailbox.post(.work(work))
    }

    /// Ends the loop after the batch at hand.
    ///
    /// Handlers and timers are let go; descriptors that are still registered are closed by their owners' `deinit`. Any
    /// thread.
    public nonisolated func stop() {
        post { $0.isStopping = true }
    }

    // MARK: Timers

    /// Names a timer of this shard.
    public struct TimerID: Hashable, Sendable {
        fileprivate let id: TimerWheel<() -> Void>.ID
    }

    /// Runs an action once after a delay; never early, at most a millisecond late on an idle machine.
    ///
    /// The action runs on this shard: form it where `shard` is isolated and let it capture that.
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> TimerID {
        let deadline = now.addingReportingOverflow(delay.wholeNanoseconds)
        let milliseconds = deadline.overflow ? UInt64.max >> 1 : deadline.partialValue / 1_000_000 + 1
        return TimerID(id: timers.insert(deadlineMilliseconds: milliseconds, payload: action))
    }

    /// Stops a timer; one that has fired or was stopped is ignored.
    public func cancel(_ timer: TimerID) {
        timers.remove(timer.id)
    }

    // MARK: Descriptors

    /// Tells a handler when a descriptor is ready.
    ///
    /// The descriptor must be non-blocking; the caller keeps owning it.
    ///
    /// - Throws: ``NetError/systemCall(_:code:)`` when epoll refuses the descriptor.
    public func register(
        _ descriptor: Int32, for interest: Readiness, handler: any DescriptorHandler
    ) throws(NetError) -> DescriptorToken {
        let token = descriptors.insert(handler)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token.packed))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            let code = errno
            descriptors.remove(token)
            throw .systemCall("epoll_ctl", code: code)
        }
        return token
    }

    /// Changes what a handler wants to hear of.
    public func modify(_ descriptor: Int32, token: DescriptorToken, interest: Readiness) {
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: token.packed))
        _ = epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Ends a registration; call it before the descriptor is closed.
    public func unregister(_ descriptor: Int32, token: DescriptorToken) {
        guard descriptors.remove(token) else { return }
        var event = epoll_event()
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Closes every connection at once; what they had to send is lost.
    ///
    /// For the end of the shard, whose connections would stay open otherwise.
    public func closeConnections() {
        for handler in descriptors.handlers { (handler as? Connection)?.abort(on: self) }
    }

    // MARK: Buffers

    /// An empty buffer with room; give it back with ``recycle(_:)``.
    func takeBuffer() -> [UInt8] {
        if let buffer = spareBuffers.popLast() { return buffer }
        var buffer: [UInt8] = []
        buffer.reserveCapacity(Self.writeBufferBytes)
        return buffer
    }

    /// Takes a buffer over, empties it and keeps it for the next writer, unless it has grown large or there are enough.
    func recycle(_ buffer: inout [UInt8]) {
        // Moved, and emptied while it has one owner: else it would be copied for that.
        var spent: [UInt8] = []
        swap(&spent, &buffer)
        guard spent.capacity > 0, spent.capacity <= Self.largestSpareBuffer, spareBuffers.count < Self.spareBufferLimit
        else { return }
        spent.removeAll(keepingCapacity: true)
        spareBuffers.append(spent)
    }

    // MARK: The loop

    private nonisolated func run() {
        // Entered once for many batches: to prove the isolation costs as much as to read a message.
        while let entries = assumeIsolated({ $0.handleBatches() }) {
            // Jobs are the pieces of async functions; they run outside `assumeIsolated`, which they do themselves.
            for case .job(let job) in entries { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
        }
        assumeIsolated { $0.letGo() }
    }

    /// Lets go of handlers and timers, which mostly hold the shard in turn: nothing would ever be freed otherwise.
    private func letGo() {
        descriptors = DescriptorTable()
        timers = TimerWheel(startMilliseconds: now / 1_000_000)
        dirty = []
    }

    /// Handles batches until jobs are to be run, which are returned; nil when the shard is stopped.
    private func handleBatches() -> [Mailbox.Entry]? {
        if let batch = interrupted {
            interrupted = nil
            handleBatch(batch.count, batch.entries)
        }
        while !isStopping {
            alarm.set(timers.nextMilliseconds)
            let count = epoll_wait(epoll, events.baseAddress, Int32(Self.eventsPerBatch), -1)
            // EINTR counts as an empty batch: timers are looked at, then the loop waits again.
            let ready = count > 0 ? Int(count) : 0
            guard events[..<ready].contains(where: { $0.data.u64 == Self.mailboxTag }) else {
                handleBatch(ready, [])
                continue
            }
            let entries = executor.mailbox.take()
            guard !entries.contains(where: \.isJob) else {
                now = MonotonicClock.nanoseconds()
                interrupted = (ready, entries)
                return entries
            }
            handleBatch(ready, entries)
        }
        return nil
    }

    private func handleBatch(_ count: Int, _ entries: [Mailbox.Entry]) {
        now = MonotonicClock.nanoseconds()
        for case .work(let work) in entries { work(self) }
        for index in 0..<count {
            let tag = events[index].data.u64
            if tag >= Self.alarmTag {
                if tag == Self.alarmTag { alarm.clear() }
                continue
            }
            guard let handler = descriptors.handler(for: DescriptorToken(packed: tag)) else { continue }
            handler.ready(Readiness(rawValue: events[index].events), on: self)
        }
        // Taken one by one: an action may stop a timer that is due in the same batch.
        for timer in timers.advance(to: now / 1_000_000) { timers.remove(timer)?() }
        flushDirty()
    }

    private func flushDirty() {
        // A flush may end a connection, whose handler may write to others: go on until nothing is left.
        while !dirty.isEmpty {
            let batch = dirty
            dirty.removeAll(keepingCapacity: true)
            for connection in batch { connection.flush(on: self) }
        }
    }

    // MARK: Limits

    /// Events taken from epoll at once.
    static let eventsPerBatch = 512
    /// What one `recv` may bring.
    ///
    /// 256 KiB: the largest message of a client in one piece.
    static let readBufferBytes = 262_144
    /// First size of a write buffer: a batch of token events fits.
    static let writeBufferBytes = 16_384
    /// A larger buffer is freed instead of kept.
    static let largestSpareBuffer = 1_048_576
    /// Most buffers kept.
    static let spareBufferLimit = 32
    private static let mailboxTag = UInt64.max
    /// Below the mailbox's; no registration has so many generations.
    private static let alarmTag = UInt64.max - 1
}

extension Duration {
    /// Nanoseconds, at least 0, capped at what UInt64 holds.
    fileprivate var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? UInt64.max : whole &+ UInt64(attoseconds / 1_000_000_000)
    }
}
