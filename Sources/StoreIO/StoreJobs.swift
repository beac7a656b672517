// StoreJobs: what waits for the store's queue, in order and bounded.
// Spec: docs/reliability.md (writing); docs/architecture.md (limits)

internal import TutorCore

/// What waits for the store's queue, in order and bounded.
///
/// Writes that stand next to each other are taken together; nothing overtakes anything, so that what is forgotten is
/// what was written before.
struct StoreJobs {
    /// A group that waits to be written.
    struct Write {
        let group: [SessionWrite]
        let rows: Int
        let done: @Sendable (Result<Void, StoreError>) -> Void
    }

    private enum Job {
        case request(@Sendable () -> Void)
        /// What the store does by itself: not counted.
        case upkeep(@Sendable () -> Void)
        case write(Write)
    }

    /// What is to be done next.
    enum Next {
        case run(@Sendable () -> Void)
        case write([Write])
    }

    private let maximumRows: Int
    private let maximumRequests: Int
    private var jobs: [Job] = []
    /// Jobs before this place are done.
    private var head = 0
    private var requests = 0
    /// Rows that wait or are being written.
    private var rows = 0
    private var isClosed = false

    init(maximumRows: Int, maximumRequests: Int) {
        self.maximumRows = maximumRows
        self.maximumRequests = maximumRequests
    }

    /// Adds a group; says why not.
    mutating func add(_ write: Write) -> StoreError? {
        guard !isClosed else { return .closed }
        guard rows + write.rows <= maximumRows || rows == 0 else { return .overloaded }
        rows += write.rows
        jobs.append(.write(write))
        return nil
    }

    /// Adds something else that was asked for; says why not.
    mutating func add(request: @escaping @Sendable () -> Void) -> StoreError? {
        guard !isClosed else { return .closed }
        guard requests < maximumRequests else { return .overloaded }
        requests += 1
        jobs.append(.request(request))
        return nil
    }

    /// Adds something that the store does by itself; false when it is closed.
    mutating func add(upkeep: @escaping @Sendable () -> Void) -> Bool {
        guard !isClosed else { return false }
        jobs.append(.upkeep(upkeep))
        return true
    }

    /// Adds the last job; false when there was one already.
    mutating func close(_ last: @escaping @Sendable () -> Void) -> Bool {
        guard !isClosed else { return false }
        jobs.append(.upkeep(last))
        isClosed = true
        return true
    }

    /// Takes the next job, or the writes that stand next to each other; nil when they were taken before.
    mutating func next() -> Next? {
        guard head < jobs.count else { return nil }
        defer { shrink() }
        var writes: [Write] = []
        while head < jobs.count {
            switch jobs[head] {
            case .write(let write): writes.append(write)
            case .request(let body):
                if !writes.isEmpty { return .write(writes) }
                requests -= 1
                head += 1
                return .run(body)
            case .upkeep(let body):
                if !writes.isEmpty { return .write(writes) }
                head += 1
                return .run(body)
            }
            head += 1
        }
        return .write(writes)
    }

    /// Notes that writes are on disk or have failed.
    mutating func finish(_ writes: [Write]) {
        for write in writes { rows -= write.rows }
    }

    /// Forgets the jobs that are done, now and then.
    private mutating func shrink() {
        guard head == jobs.count || head >= 1_024 else { return }
        jobs.removeFirst(head)
        head = 0
    }
}
