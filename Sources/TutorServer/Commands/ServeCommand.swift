// ServeCommand: runs the server until it is told to stop.

internal import Dispatch
internal import Glibc
internal import NetIO
internal import Synchronization
internal import Telemetry
internal import TutorCore

/// `serve`.
enum ServeCommand {
    static func run(_ arguments: [String]) async throws -> Int32 {
        var flags = try Flags(arguments)
        if let word = flags.words.first { throw UsageError("unexpected argument: \(word)") }
        let configuration = try ConfigCommand.load(&flags)
        let log = Logger(label: "chalkline", level: configuration.logLevel)
        DescriptorLimit.raise()
        // Before the server starts, so that an early signal is not lost.
        let signals = StopSignals()
        let server = try await Server.start(configuration, log: log)
        log.info(
            "listening",
            metadata: [
                "address": server.address.description, "model": configuration.session.modelName,
                "version": configuration.version,
            ])
        Output.write("Chalkline is ready: http://\(server.address)\n")
        let signal = await signals.next()
        log.info("stopping", metadata: ["signal": "\(signal)"])
        await server.stop()
        LogSink.standardError.flush()
        return 0
    }
}

/// Waits for SIGINT or SIGTERM.
private final class StopSignals: Sendable {
    private let stream: AsyncStream<Int32>
    // Only kept alive; never used after `init`.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        sources = [SIGINT, SIGTERM].map { number in
            // The default action would end the process before the source is told.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { @Sendable in continuation.yield(number) }
            source.resume()
            return source
        }
    }

    func next() async -> Int32 {
        for await number in stream { return number }
        return 0
    }
}
