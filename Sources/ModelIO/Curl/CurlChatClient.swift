// CurlChatClient: streaming chat completions over libcurl.
// Spec: docs/models.md

import CCurl
public import TutorCore

/// Streaming chat completions from an OpenAI-compatible endpoint, over libcurl in the host's loop.
///
/// Nothing is removed from libcurl inside one of its callbacks, and no event is delivered there: bytes become events in
/// an outbox, which is emptied when libcurl has returned.
public final class CurlChatClient: ModelClient {
    private let settings: ModelSettings
    private let route: CurlRoute
    private let multi: CurlMulti
    private let clock: MonotonicClock
    private let host: (HostRequest) -> Void
    private let handler: (UInt64, ModelEvent) -> Void

    /// Calls whose last event has not been delivered.
    private var calls: [UInt64: ModelCall] = [:]
    /// Calls without a place, the longest waiting first; at most ``ModelLimits/waitingCalls``.
    private var waiting: [ModelCall] = []
    /// Calls with an exchange in progress, also those whose rest is read, by libcurl's handle.
    private var placed: [UnsafeMutableRawPointer: ModelCall] = [:]
    /// Calls that were to be dropped while libcurl was at work.
    private var postponed: [ModelCall] = []
    /// Events not yet delivered.
    private var outbox: [(call: ModelCall, event: ModelEvent)] = []
    /// Calls that go on after a pause, whose held events are to be delivered.
    private var resumed: [ModelCall] = []
    /// The optional fields that the endpoint has been seen to take.
    private var shape = ChatRequestShape()
    /// No later than the first deadline of a call.
    ///
    /// Deadlines mostly move back; it is found anew when it is reached.
    private var earliest: Duration?
    private var timer = HostTimer()
    private var isDelivering = false
    private var isShutDown = false

    /// Makes a client for the endpoint of `settings`.
    ///
    /// - Parameters:
    ///   - settings: the endpoint, limits and timeouts.
    ///   - host: takes requests for sockets and the timer.
    ///   - handler: takes the events of every call.
    /// - Throws: ``ModelSettingsError`` when the settings cannot be used.
    public convenience init(
        settings: ModelSettings, host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) {
        try self.init(settings: settings, clock: .system, host: host, handler: handler)
    }

    /// Makes a client with a clock of the caller's.
    package init(
        settings: ModelSettings, clock: MonotonicClock, host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) {
        self.settings = settings
        self.clock = clock
        self.host = host
        self.handler = handler
        route = try CurlRoute(settings)
        multi = try CurlMulti(pooled: settings.limits.concurrentCalls, clock: clock, host: host)
    }

    deinit {
        // A host that goes away without `shutDown` can hear no requests; its sockets are closed all the same.
        multi.fallSilent()
        for call in placed.values { drop(call) }
    }

    // MARK: Calls

    /// Starts a call, or lets it wait for a place.
    public func start(_ request: ModelRequest, token: UInt64) {
        cancel(token: token)
        let call = ModelCall(
            token: token, request: request, shape: shape,
            stages: CallStages(timeouts: settings.timeouts, now: clock.now))
        calls[token] = call
        if isShutDown {
            post([.failed(.unavailable(detail: "shut down"))], of: call)
        } else if waiting.count >= settings.limits.waitingCalls, placed.count >= settings.limits.concurrentCalls {
            post([.failed(.unavailable(detail: "too many calls wait"))], of: call)
        } else {
            waiting.append(call)
            fillPlaces()
        }
        note(call)
        arm()
    }

    /// Ends a call: closes its connection at once.
    public func cancel(token: UInt64) {
        guard let call = calls.removeValue(forKey: token) else { return }
        call.isCancelled = true
        waiting.removeAll { $0 === call }
        drop(call)
        fillPlaces()
        arm()
    }

    /// Holds a call back.
    ///
    /// libcurl is told when it next brings a part of the answer; until then the endpoint has nothing to be held back.
    public func pause(token: UInt64) {
        guard let call = calls[token], !call.isPaused else { return }
        call.isPaused = true
        call.stages.pause(now: clock.now)
        arm()
    }

    /// Lets a paused call go on.
    public func resume(token: UInt64) {
        guard let call = calls[token], call.isPaused else { return }
        call.isPaused = false
        call.stages.resume(now: clock.now)
        if !call.held.isEmpty, !resumed.contains(where: { $0 === call }) { resumed.append(call) }
        if let transfer = call.transfer, transfer.isStill {
            transfer.isStill = false
            let result = multi.goOn(transfer)
            // libcurl says here that what it gave was not taken, and the transfer would not end by itself.
            if result != CURLE_OK { complete(call, result: result) }
            fillPlaces()
        }
        note(call)
        arm()
    }

    /// Cancels every call.
    public func shutDown() {
        isShutDown = true
        waiting = []
        resumed = []
        for call in calls.values { call.isCancelled = true }
        calls = [:]
        for call in placed.values { drop(call) }
        arm()
    }

    // MARK: The host's calls

    /// Reads and writes a socket, then delivers the events.
    public func socketReady(fd: Int32, readable: Bool, writable: Bool, hasError: Bool) {
        settle(multi.act(fd: fd, readable: readable, writable: writable, hasError: hasError))
    }

    /// Does what is due, then delivers the events.
    public func timerFired() {
        timer.fire()
        let problem = multi.actOnDeadline()
        expire()
        settle(problem)
    }

    private func settle(_ problem: String?) {
        while let call = postponed.popLast() { drop(call) }
        while let (easy, result) = multi.nextDone() {
            if let call = placed[easy] { complete(call, result: result) }
        }
        if let problem {
            // A broken multi handle cannot be mended from here: no call on it would ever end by itself.
            for call in placed.values {
                post([.failed(.unavailable(detail: problem))], of: call)
                drop(call)
            }
        }
        deliver()
        fillPlaces()
        arm()
    }

    private func deliver() {
        guard !isDelivering else { return }
        isDelivering = true
        var index = 0
        while true {
            if index < outbox.count {
                let (call, event) = outbox[index]
                index += 1
                // The handler may have paused it since; what is held goes first.
                if call.isPaused || !call.held.isEmpty {
                    call.held.append(event)
                } else {
                    hand(event, of: call)
                }
            } else if let call = resumed.popLast() {
                handHeld(of: call)
            } else {
                break
            }
        }
        outbox.removeAll(keepingCapacity: true)
        isDelivering = false
    }

    /// Delivers what waited for a call to go on.
    private func handHeld(of call: ModelCall) {
        let events = call.held
        call.held = []
        for (index, event) in events.enumerated() {
            guard !call.isPaused else {
                call.held = Array(events[index...])
                return
            }
            hand(event, of: call)
        }
    }

    private func hand(_ event: ModelEvent, of call: ModelCall) {
        // The handler may have cancelled it since.
        guard !call.isCancelled else { return }
        if event.isLast { calls[call.token] = nil }
        handler(call.token, event)
    }

    // MARK: Exchanges

    private func fillPlaces() {
        while !waiting.isEmpty, placed.count < settings.limits.concurrentCalls, !multi.isInside {
            launch(waiting.removeFirst())
        }
    }

    private func launch(_ call: ModelCall) {
        call.beginExchange()
        call.stages.place(now: clock.now)
        let body = ChatRequestBody(request: call.request, model: settings.name, shape: call.shape).bytes
        guard let transfer = CurlTransfer(call: call, owner: self, route: route, body: body) else {
            post([.failed(.unavailable(detail: "out of memory"))], of: call)
            return
        }
        call.transfer = transfer
        placed[transfer.easy] = call
        if let problem = multi.add(transfer) {
            post([.failed(.unavailable(detail: problem))], of: call)
            drop(call)
        }
        note(call)
    }

    /// Ends a call's exchange, whatever its state.
    ///
    /// libcurl must not be told so while it is at work.
    private func drop(_ call: ModelCall) {
        guard let transfer = call.transfer else { return }
        guard !multi.isInside else {
            postponed.append(call)
            return
        }
        multi.remove(transfer)
        placed[transfer.easy] = nil
        call.transfer = nil
    }

    /// libcurl has ended an exchange.
    private func complete(_ call: ModelCall, result: CURLcode) {
        let status = call.transfer?.status ?? 0
        let retryAfter = call.transfer?.retryAfter
        drop(call)
        guard !call.hasEnded, !call.isCancelled else { return }
        if ChatRefusal.isAnswer(status: status) {
            var decoder = call.decoder ?? ChatStreamDecoder(limits: settings.limits)
            post(decoder.finish(result == CURLE_OK ? .complete : .broken(Self.error(result))), of: call)
        } else if status != 0 {
            refuse(call, status: status, retryAfter: retryAfter)
        } else {
            post([.failed(Self.error(result))], of: call)
        }
    }

    private func refuse(_ call: ModelCall, status: Int, retryAfter: Duration?) {
        let refusal = ChatRefusal(
            status: status, body: call.errorBody, retryAfter: retryAfter, limits: settings.limits)
        // Each exchange drops a field that the next one no longer names, so this ends.
        if call.exchangeCount <= ChatRequestShape.rules.count, let mended = call.shape.mended(after: refusal) {
            call.shape = mended
            launch(call)
        } else {
            post([.failed(refusal.error)], of: call)
        }
    }

    private func expire() {
        let now = clock.now
        for call in waiting where call.stages.deadline <= now {
            post([.failed(.unavailable(detail: "no place became free"))], of: call)
        }
        waiting.removeAll { $0.hasEnded }
        for call in placed.values where call.stages.deadline <= now {
            if !call.hasEnded {
                let status = call.transfer?.status ?? 0
                if call.stages.hasReason, var decoder = call.decoder {
                    post(decoder.finish(.complete), of: call)
                } else if status != 0, !ChatRefusal.isAnswer(status: status) {
                    // The status says enough; its body may stay away.
                    let refusal = ChatRefusal(
                        status: status, body: call.errorBody, retryAfter: call.transfer?.retryAfter,
                        limits: settings.limits)
                    post([.failed(refusal.error)], of: call)
                } else {
                    post([.failed(.timeout)], of: call)
                }
            }
            drop(call)
        }
        earliest = (waiting + placed.values).map(\.stages.deadline).min()
    }

    // MARK: Events and time

    private func post(_ events: [ModelEvent], of call: ModelCall) {
        for event in events where !call.hasEnded && !call.isCancelled {
            if event.isLast {
                call.hasEnded = true
                call.stages.end(now: clock.now)
            }
            outbox.append((call, settings.redacted(event)))
        }
    }

    private func note(_ call: ModelCall) {
        guard call.transfer != nil || !call.hasEnded else { return }
        let deadline = call.stages.deadline
        earliest = earliest.map { min($0, deadline) } ?? deadline
    }

    private func arm() {
        let now = clock.now
        // Runs for every read of a socket, so it makes no list.
        var wanted = multi.deadline
        if let earliest, !placed.isEmpty || !waiting.isEmpty { wanted = wanted.map { min($0, earliest) } ?? earliest }
        if !outbox.isEmpty || !resumed.isEmpty, !isDelivering { wanted = wanted.map { min($0, now) } ?? now }
        if let wish = timer.set(wanted, now: now) { host(wish) }
    }

    private static func error(_ result: CURLcode) -> ModelError {
        result == CURLE_OPERATION_TIMEDOUT
            ? .timeout : .unavailable(detail: String(cString: curl_easy_strerror(result)).lowercased())
    }
}

extension CurlChatClient: CurlTransfer.Owner {
    /// Bytes of a finished body that are read to keep its connection.
    ///
    /// 64 KiB.
    private static let drainByteCount = 65_536

    func transfer(_ transfer: CurlTransfer, receivedHead byteCount: Int) -> Bool {
        let call = transfer.call
        guard !call.isCancelled else { return false }
        call.stages.hear(now: clock.now)
        call.headByteCount += byteCount
        if call.headByteCount > settings.limits.headBytes {
            post([.failed(.invalid(detail: "response head too long"))], of: call)
            return false
        }
        return true
    }

    func transfer(_ transfer: CurlTransfer, receivedBody bytes: Span<UInt8>) -> CurlTransfer.Reply {
        let call = transfer.call
        guard !call.isCancelled else { return .end }
        if call.hasEnded {
            call.drainedByteCount += bytes.count
            return call.isDraining && call.drainedByteCount <= Self.drainByteCount ? .taken : .end
        }
        let now = clock.now
        call.stages.hear(now: now)
        guard ChatRefusal.isAnswer(status: transfer.status) else {
            let room = settings.limits.errorBytes - call.errorBody.count
            for index in 0..<min(room, bytes.count) { call.errorBody.append(bytes[index]) }
            return .taken
        }
        if call.isPaused {
            transfer.isStill = true
            multi.standStill(transfer)
            return .later
        }
        // A good status: the endpoint takes these fields.
        shape = call.shape
        if call.decoder == nil { call.decoder = ChatStreamDecoder(limits: settings.limits) }
        // In place, so that neither the decoder nor its buffers are copied.
        let events = call.decoder?.receive(bytes) ?? []
        call.stages.hear(events)
        if call.decoder?.hasReason == true { call.stages.hearReason(now: now) }
        post(events, of: call)
        call.isDraining = call.decoder?.isDone == true
        note(call)
        return !call.hasEnded || call.isDraining ? .taken : .end
    }
}
