// StoreWriter: takes what a shard's sessions have to keep to the store, a group at a time.
// Spec: docs/reliability.md (writing), docs/protocol.md §3 (durability)

internal import NetIO
internal import Telemetry
internal import TutorCore

/// Takes what a shard's sessions have to keep to the store, a group at a time.
///
/// One group is under way; what gathers meanwhile is the next, so that a busy disk gets larger groups instead of a longer
/// queue. What fails stays in the sessions' logs and goes again after a pause. While nothing can be kept the gate is
/// open: events go out without waiting for the disk, and clients are told. Confined to its shard.
final class StoreWriter {
    private let store: any SessionStore
    private unowned let services: ShardServices
    private let port: ShardPort
    private let patience: Duration
    /// Sessions with something that is not on disk, in the order in which they came.
    private var dirty: [SessionHost] = []
    private var group: Group?
    private var pause = StoreWriter.firstPause
    private var retryTimer: Shard.TimerID?
    private var isGathering = false
    /// Whether events go out without waiting for the disk.
    private(set) var isGateOpen = false

    private final class Group {
        var tickets: [(id: String, ticket: WriteTicket)] = []
        var alarm: Shard.TimerID?
    }

    init(_ store: any SessionStore, services: ShardServices, port: ShardPort, patience: Duration) {
        self.store = store
        self.services = services
        self.port = port
        self.patience = patience
    }

    /// Whether everything that came is on disk.
    var isIdle: Bool { dirty.isEmpty && group == nil }

    /// Takes note of a session that has something to write.
    func add(_ host: SessionHost, on shard: isolated Shard) {
        if isGateOpen { host.tellDegraded(on: shard) }
        guard !host.isQueuedForWriting else { return }
        host.isQueuedForWriting = true
        dirty.append(host)
        gather()
    }

    /// Writes after this batch, with what else comes in it.
    private func gather() {
        guard group == nil, retryTimer == nil, !isGathering, !dirty.isEmpty else { return }
        isGathering = true
        port.post { services, shard in
            guard let writer = services.writer else { return }
            writer.isGathering = false
            writer.writeGroup(on: shard)
        }
    }

    private func writeGroup(on shard: isolated Shard) {
        guard group == nil, retryTimer == nil else { return }
        let wallNow = WallClock.milliseconds()
        let group = Group()
        var writes: [SessionWrite] = []
        var entries = 0
        var taken = 0
        // One whose earlier write is still under way, by another shard, comes again when that returns.
        while taken < dirty.count, writes.count < Self.groupSessions, entries < Self.groupEntries {
            let host = dirty[taken]
            taken += 1
            host.isQueuedForWriting = false
            guard host.ticket == nil else {
                host.waitsForTicket = true
                continue
            }
            guard !host.hasLeft, let write = host.nextWrite(wallNow: wallNow) else {
                host.settleExpiry(on: shard)
                continue
            }
            let ticket = WriteTicket(write, owner: port)
            host.ticket = ticket
            group.tickets.append((host.id, ticket))
            writes.append(write)
            entries += write.events.count + write.turns.count + 1
        }
        dirty.removeFirst(taken)
        guard !writes.isEmpty else { return gather() }
        self.group = group
        group.alarm = shard.schedule(after: patience) { [weak self] in
            group.alarm = nil
            self?.openGate(on: shard)
        }
        store.write(writes) { [port] isWritten in
            port.post { services, shard in services.writer?.returned(isWritten, on: shard) }
        }
    }

    private func returned(_ isWritten: Bool, on shard: isolated Shard) {
        guard let group else { return }
        self.group = nil
        if let alarm = group.alarm { shard.cancel(alarm) }
        if isWritten {
            pause = Self.firstPause
            if isGateOpen, !store.isDegraded { closeGate() }
        } else {
            openGate(on: shard)
            retryTimer = shard.schedule(after: pause) { [weak self] in
                self?.retryTimer = nil
                self?.gather()
            }
            pause = min(pause * 2, Self.longestPause)
        }
        for (id, ticket) in group.tickets {
            let owner = ticket.finish(isWritten)
            if let host = services.sessions[id], host.ticket === ticket {
                host.writeReturned(on: shard)
            } else if owner !== port {
                owner.post { services, shard in
                    guard let host = services.sessions[id], host.ticket === ticket else { return }
                    host.writeReturned(on: shard)
                }
            }
        }
        gather()
    }

    // MARK: The gate

    private func openGate(on shard: isolated Shard) {
        guard !isGateOpen else { return }
        isGateOpen = true
        services.log.error("nothing can be kept at the moment; tutoring goes on")
        for host in services.sessions.values where host.ticket != nil || host.isQueuedForWriting {
            host.tellDegraded(on: shard)
            host.gateMoved(on: shard)
        }
    }

    private func closeGate() {
        isGateOpen = false
        services.log.info("sessions are kept again")
        for host in services.sessions.values { host.wasToldDegraded = false }
    }

    // MARK: Limits

    /// Most sessions of one group.
    static let groupSessions = 512
    /// About as many rows at most in one group, so that a transaction stays short.
    static let groupEntries = 10_000
    /// The pause after the first failure, doubled after each.
    static let firstPause = Duration.milliseconds(100)
    /// The longest pause between two tries.
    static let longestPause = Duration.seconds(5)
}
