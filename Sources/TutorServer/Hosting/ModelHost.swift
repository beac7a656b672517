// ModelHost: gives a model client its sockets and its timer.
// Spec: docs/models.md

package import ModelIO
package import NetIO
package import TutorCore

/// Gives a model client what it asks for: the shard's epoll watches its sockets, the shard's wheel runs its timer.
///
/// The client knows neither. Confined to its shard.
package final class ModelHost {
    /// The client; its events come to the handler.
    package private(set) var client: any ModelClient
    private let requests: Requests

    /// Takes the client's wishes and carries them out at once, in their order.
    ///
    /// Not later: a socket may be closed, and its number used again, as soon as the wish to unwatch it returns. Nothing
    /// of it calls the client back.
    private final class Requests {
        var list: [HostRequest] = []
        var isCarryingOut = false
        var watches: [Int32: Watch] = [:]
        var timer: Shard.TimerID?
        var carryOut: () -> Void = {}

        func add(_ request: HostRequest) {
            list.append(request)
            if !isCarryingOut { carryOut() }
        }
    }

    /// One watched socket.
    private final class Watch: DescriptorHandler {
        let descriptor: Int32
        var token: DescriptorToken?
        private let tell: (Readiness) -> Void

        init(descriptor: Int32, tell: @escaping (Readiness) -> Void) {
            self.descriptor = descriptor
            self.tell = tell
        }

        func ready(_ readiness: Readiness, on shard: isolated Shard) { tell(readiness) }
    }

    /// Makes the client that the settings name.
    ///
    /// - Throws: ``ModelSettingsError``.
    package init(
        _ settings: ModelSettings, on shard: isolated Shard, handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) {
        let requests = Requests()
        self.requests = requests
        client = try settings.makeClient(host: { requests.add($0) }, handler: handler)
        requests.carryOut = { [unowned self] in self.carryOut(on: shard) }
        carryOut(on: shard)
    }

    /// Ends every call and gives the sockets back.
    package func shutDown(on shard: isolated Shard) {
        client.shutDown()
        carryOut(on: shard)
        requests.carryOut = {}
    }

    private func carryOut(on shard: isolated Shard) {
        requests.isCarryingOut = true
        defer { requests.isCarryingOut = false }
        while !requests.list.isEmpty {
            let list = requests.list
            requests.list = []
            for request in list {
                switch request {
                case .timer(let wait): setTimer(wait, on: shard)
                case .unwatch(let descriptor): unwatch(descriptor, on: shard)
                case .watch(let descriptor, let readable, let writable):
                    watch(descriptor, readable: readable, writable: writable, on: shard)
                }
            }
        }
    }

    private func setTimer(_ wait: Duration?, on shard: isolated Shard) {
        if let timer = requests.timer { shard.cancel(timer) }
        requests.timer = wait.map { wait in
            shard.schedule(after: wait) { [weak self] in
                guard let self else { return }
                self.requests.timer = nil
                self.client.timerFired()
            }
        }
    }

    private func watch(_ descriptor: Int32, readable: Bool, writable: Bool, on shard: isolated Shard) {
        var interest: Readiness = []
        if readable { interest.insert(.readable) }
        if writable { interest.insert(.writable) }
        if let watch = requests.watches[descriptor], let token = watch.token {
            return shard.modify(descriptor, token: token, interest: interest)
        }
        let watch = Watch(descriptor: descriptor) { [weak self] readiness in
            self?.client.socketReady(
                fd: descriptor, readable: readiness.contains(.readable), writable: readiness.contains(.writable),
                hasError: !readiness.isDisjoint(with: [.failed, .hungUp]))
        }
        // A socket that epoll refuses is as good as silent: the client's own time-outs end its call.
        watch.token = try? shard.register(descriptor, for: interest, handler: watch)
        requests.watches[descriptor] = watch
    }

    private func unwatch(_ descriptor: Int32, on shard: isolated Shard) {
        guard let watch = requests.watches.removeValue(forKey: descriptor), let token = watch.token else { return }
        shard.unregister(descriptor, token: token)
    }
}
