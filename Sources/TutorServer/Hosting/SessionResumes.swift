// SessionResumes: looks for the sessions that clients of a shard want to go on with.
// Spec: docs/protocol.md §3, docs/reliability.md (reading), docs/decisions/0005-sessions-move.md

internal import NetIO
internal import Telemetry
internal import TutorCore
internal import TutorProtocol

/// Looks for the sessions that clients of a shard want to go on with: on this shard, on the others, on disk.
///
/// Whoever shows a key that the server never made is answered without looking. Confined to its shard.
final class SessionResumes {
    /// What a client asks for.
    struct Request {
        var hello: Hello
        var resume: Hello.Resume
        var re: MessageID?
        var identity: Identity
        /// The generation of the key that it shows.
        var keyGeneration: Int64
    }

    /// What the shard that has a session says to another that wants it.
    enum Release: Sendable {
        case gone
        case moved(SessionHandover)
        case refused(owner: ShardPort)
    }

    private struct Pending {
        var request: Request
        var connection: StudentConnection
        var timer: Shard.TimerID
    }

    private unowned let services: ShardServices
    private var pending: [UInt64: Pending] = [:]
    private var lastNumber: UInt64 = 0

    init(_ services: ShardServices) { self.services = services }

    /// Begins to look; the connection is told when that is over.
    func begin(_ request: Request, for connection: StudentConnection, on shard: isolated Shard) {
        lastNumber += 1
        let number = lastNumber
        let timer = shard.schedule(after: Self.wait) { [weak self] in
            self?.pending.removeValue(forKey: number)?.connection.resumeFailed(on: shard)
        }
        pending[number] = Pending(request: request, connection: connection, timer: timer)
        seek(number, on: shard)
    }

    /// Gives up the session that another shard wants, if that client may have it.
    func release(
        _ id: String, keyGeneration: Int64, subject: String?, to port: ShardPort, on shard: isolated Shard
    ) -> Release {
        guard let host = services.sessions[id] else { return .gone }
        guard host.accepts(keyGeneration: keyGeneration, subject: subject) else {
            return .refused(owner: services.port)
        }
        return .moved(host.leave(for: port, on: shard))
    }

    // MARK: The search

    private func seek(_ number: UInt64, on shard: isolated Shard) {
        guard let request = pending[number]?.request else { return }
        let (id, port) = (request.resume.session, services.port)
        let answer = services.commons.directory.claim(id, for: port) {
            port.post { services, shard in services.resumes.seek(number, on: shard) }
        }
        switch answer {
        case .absent: load(id, number, on: shard)
        case .crowded: take(number, on: shard)?.connection.resumeFailed(on: shard)
        case .elsewhere(let owner):
            let (generation, subject) = (request.keyGeneration, request.identity.subject)
            owner.post { services, shard in
                let release = services.resumes.release(
                    id, keyGeneration: generation, subject: subject, to: port, on: shard)
                port.post { services, shard in services.resumes.released(id, release, number, on: shard) }
            }
        case .here:
            guard let host = services.sessions[id] else { return begin(number, .expired, on: shard) }
            join(number, host, on: shard)
        case .taken: break
        }
    }

    private func released(_ id: String, _ release: Release, _ number: UInt64, on shard: isolated Shard) {
        switch release {
        case .gone:
            load(id, number, on: shard)
        case .moved(let handover):
            let host = SessionHost(handover, services: services, on: shard)
            services.adopt(host)
            join(number, host, on: shard)
        case .refused(let owner):
            services.commons.directory.settle(id, at: owner)
            begin(number, .unknown, on: shard)
        }
    }

    private func load(_ id: String, _ number: UInt64, on shard: isolated Shard) {
        // The client may have left while the answer of another shard was on its way.
        guard pending[number] != nil, let store = services.commons.store else {
            services.commons.directory.settle(id, at: nil)
            return begin(number, .expired, on: shard)
        }
        store.load(id) { [port = services.port] result in
            port.post { services, shard in services.resumes.loaded(id, result, number, on: shard) }
        }
    }

    private func loaded(
        _ id: String, _ result: Result<StoredSession?, any Error>, _ number: UInt64, on shard: isolated Shard
    ) {
        guard let waiting = pending[number] else { return services.commons.directory.settle(id, at: nil) }
        let request = waiting.request
        switch result {
        case .failure(let error):
            services.log.warning("session not read", metadata: ["session": id, "error": "\(error)"])
            services.commons.directory.settle(id, at: nil)
            take(number, on: shard)?.connection.resumeFailed(on: shard)
        case .success(nil):
            services.commons.directory.settle(id, at: nil)
            begin(number, .expired, on: shard)
        case .success(let stored?):
            guard request.keyGeneration >= stored.session.keyGeneration,
                request.identity.subject == stored.session.subject
            else {
                services.commons.directory.settle(id, at: nil)
                return begin(number, .unknown, on: shard)
            }
            let session = Session(
                restoring: stored, epoch: services.mintName("e_"), hello: request.hello,
                configuration: services.configuration.session, seed: services.seed(), now: .nanoseconds(shard.now),
                wallNow: WallClock.milliseconds())
            let host = SessionHost(session, services: services)
            services.adopt(host)
            services.writer?.add(host, on: shard)
            join(number, host, on: shard)
        }
    }

    // MARK: The end

    private func join(_ number: UInt64, _ host: SessionHost, on shard: isolated Shard) {
        guard let waiting = take(number, on: shard) else {
            // The client left meanwhile: the session waits here for the next.
            if host.connection == nil { host.abandon(on: shard) }
            return
        }
        let request = waiting.request
        guard host.accepts(keyGeneration: request.keyGeneration, subject: request.identity.subject) else {
            return waiting.connection.begin(request, why: .unknown, on: shard)
        }
        waiting.connection.join(host, request, on: shard)
    }

    private func begin(_ number: UInt64, _ why: Welcome.WhyNew, on shard: isolated Shard) {
        guard let waiting = take(number, on: shard) else { return }
        waiting.connection.begin(waiting.request, why: why, on: shard)
    }

    /// Ends a search; nil when its client has left.
    private func take(_ number: UInt64, on shard: isolated Shard) -> Pending? {
        guard let waiting = pending.removeValue(forKey: number) else { return nil }
        shard.cancel(waiting.timer)
        return waiting.connection.isOver ? nil : waiting
    }

    /// How long a client waits for its session; then it is told to come again.
    ///
    /// 5 s: a disk that is busy for longer is at fault, and a client's own patience ends soon.
    static let wait = Duration.seconds(5)
}
