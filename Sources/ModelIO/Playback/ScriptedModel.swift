// ScriptedModel: recorded streams, played as a model.
// Spec: docs/models.md (scripted model)

public import TutorCore

/// Recorded streams, played as a model, for tests and demonstrations.
///
/// Each call plays the next script, and after the last one the first again. The bytes go through the same decoder as
/// those of an endpoint.
public final class ScriptedModel: ModelClient {
    private let scripts: [ModelScript]
    private var played = 0
    private let client: PlaybackClient

    /// Makes the model.
    ///
    /// - Throws: ``ModelSettingsError/script(path:reason:)`` when there is no script.
    public convenience init(
        scripts: [ModelScript], limits: ModelLimits = ModelLimits(), host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) {
        try self.init(scripts: scripts, limits: limits, clock: .system, host: host, handler: handler)
    }

    /// Makes the model with a clock of the caller's.
    package init(
        scripts: [ModelScript], limits: ModelLimits, clock: MonotonicClock, host: @escaping (HostRequest) -> Void,
        handler: @escaping (UInt64, ModelEvent) -> Void
    ) throws(ModelSettingsError) {
        guard !scripts.isEmpty else { throw .script(path: "", reason: "no script is given") }
        self.scripts = scripts
        client = PlaybackClient(limits: limits, clock: clock, host: host, handler: handler)
    }

    /// Plays the next script; the request is not read.
    public func start(_ request: ModelRequest, token: UInt64) {
        client.start(scripts[played % scripts.count].steps, token: token, decodes: true)
        played = (played + 1) % scripts.count
    }

    /// Ends a call; no event follows.
    public func cancel(token: UInt64) { client.cancel(token: token) }

    /// Holds a call back: its time stands still.
    public func pause(token: UInt64) { client.pause(token: token) }

    /// Lets a paused call go on where it was.
    public func resume(token: UInt64) { client.resume(token: token) }

    /// Does nothing: this model has no socket.
    public func socketReady(fd: Int32, readable: Bool, writable: Bool, hasError: Bool) {}

    /// Plays what is due.
    public func timerFired() { client.timerFired() }

    /// Ends all calls.
    public func shutDown() { client.cancelAll() }
}
