// BuiltinModel: the tutor inside this program, as a model.
// Spec: docs/models.md (built-in model)

public import TutorCore

/// The tutor inside this program, as a model: no network, no key, no tokens.
///
/// The answer is known at once and is shown in pieces the size of words, so that a client sees the same kind of stream
/// as from any other model. It reports a usage of zero tokens.
public final class BuiltinModel: ModelClient {
    private let tutor = BuiltinTutor()
    private let pause: Duration
    private let client: PlaybackClient

    /// Makes the model.
    ///
    /// - Parameters:
    ///   - pause: before each piece but the first. Default 12 ms, about the pace of a quick reader's eye; zero: all
    ///     pieces at once.
    ///   - limits: only ``ModelLimits/playedCalls`` matters here.
    ///   - host: takes timer requests.
    ///   - handler: takes the events.
    public convenience init(
        pause: Duration = .milliseconds(12), limits: ModelLimits = ModelLimits(),
        host: @escaping (HostRequest) -> Void, handler: @escaping (UInt64, ModelEvent) -> Void
    ) {
        self.init(pause: pause, limits: limits, clock: .system, host: host, handler: handler)
    }

    /// Makes the model with a clock of the caller's.
    package init(
        pause: Duration, limits: ModelLimits, clock: MonotonicClock, host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) {
        self.pause = pause
        client = PlaybackClient(limits: limits, clock: clock, host: host, handler: handler)
    }

    /// Answers from the request's lesson; its messages are not read.
    public func start(_ request: ModelRequest, token: UInt64) {
        var steps: [PlaybackStep] = []
        for piece in TextPieces(text: tutor.answer(to: request.lesson)) {
            if !steps.isEmpty, pause > .zero { steps.append(.pause(pause)) }
            steps.append(.event(.text(piece)))
        }
        steps.append(.event(.usage(ModelUsage(input: 0, cached: 0, output: 0))))
        steps.append(.event(.finished(.stop)))
        client.start(steps, token: token, decodes: false)
    }

    /// Ends a call; no event follows.
    public func cancel(token: UInt64) { client.cancel(token: token) }

    /// Holds a call back: its time stands still.
    public func pause(token: UInt64) { client.pause(token: token) }

    /// Lets a paused call go on where it was.
    public func resume(token: UInt64) { client.resume(token: token) }

    /// Does nothing: this model has no socket.
    public func socketReady(fd: Int32, readable: Bool, writable: Bool, hasError: Bool) {}

    /// Plays the pieces that are due.
    public func timerFired() { client.timerFired() }

    /// Ends all calls.
    public func shutDown() { client.cancelAll() }
}
