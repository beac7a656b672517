// PollHost: the smallest host that can drive a model client: poll(2) and one timer.
// Spec: docs/models.md (the seam)

import Glibc
import ModelIO
import TutorCore

/// The smallest host that can drive a model client: poll(2) and one timer, on the test's own thread.
final class PollHost {
    struct Record {
        var token: UInt64
        var event: ModelEvent
        var at: Duration
    }

    var model: (any ModelClient)?
    /// Every event with the time it came, from the host's making.
    private(set) var records: [Record] = []
    /// Called for each event, as a session would be.
    var onEvent: ((UInt64, ModelEvent) -> Void)?
    private(set) var watched: [Int32: (readable: Bool, writable: Bool)] = [:]
    /// How often the host woke up; an idle stream must not make it.
    private(set) var wakeUps = 0
    private var due: Duration?
    private let origin = ContinuousClock.now

    /// Makes a host of the client that `settings` describe.
    init(_ settings: ModelSettings) throws {
        model = try settings.makeClient(
            host: { [unowned self] in take($0) },
            handler: { [unowned self] token, event in
                records.append(Record(token: token, event: event, at: now))
                onEvent?(token, event)
            })
    }

    var now: Duration { origin.duration(to: .now) }

    func events(of token: UInt64) -> [ModelEvent] { joined(records.filter { $0.token == token }.map(\.event)) }

    func hasEnded(_ token: UInt64) -> Bool {
        // Asked after every event, so nothing is joined for it.
        switch records.last(where: { $0.token == token })?.event {
        case .failed, .finished: true
        case .reasoning, .text, .usage, nil: false
        }
    }

    /// Runs until `isDone`, at most for `limit`.
    ///
    /// Returns whether it was done.
    @discardableResult
    func run(limit: Duration = .seconds(20), until isDone: () -> Bool) -> Bool {
        let end = now + limit
        while !isDone() {
            let left = min(end, due ?? end) - now
            if now >= end { return false }
            var sockets = watched.map { fd, wish in
                pollfd(
                    fd: fd, events: Int16((wish.readable ? POLLIN : 0) | (wish.writable ? POLLOUT : 0)), revents: 0)
            }
            // Rounded up, so that the timer is due when poll returns.
            let milliseconds = Int32(
                max(0, left.components.seconds * 1_000 + left.components.attoseconds / 1_000_000_000_000_000 + 1))
            let count = poll(&sockets, nfds_t(sockets.count), left <= .zero ? 0 : milliseconds)
            wakeUps += 1
            if count > 0 {
                for socket in sockets where socket.revents != 0 && watched[socket.fd] != nil {
                    let events = Int32(socket.revents)
                    model?.socketReady(
                        fd: socket.fd, readable: events & (POLLIN | POLLHUP) != 0, writable: events & POLLOUT != 0,
                        hasError: events & (POLLERR | POLLNVAL) != 0)
                }
            }
            if let due, due <= now {
                self.due = nil
                model?.timerFired()
            }
        }
        return true
    }

    /// Runs for a time, whatever happens.
    func run(for time: Duration) { run(limit: time) { false } }

    private func take(_ wish: HostRequest) {
        switch wish {
        case .timer(let after): due = after.map { now + $0 }
        case .unwatch(let fd): watched[fd] = nil
        case .watch(let fd, let readable, let writable): watched[fd] = (readable, writable)
        }
    }
}
