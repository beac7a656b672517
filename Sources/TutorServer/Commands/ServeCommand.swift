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
        // First of all, so that an early signal is not lost.
        let signals = Signals()
        var flags = try Flags(arguments)
        if let word = flags.words.first { throw UsageError("unexpected argument: \(word)") }
        let given = flags
        let configuration = try ConfigCommand.load(&flags)
        let log = Logger(label: "chalkline", level: configuration.logLevel)
        DescriptorLimit.raise()
        let server = try await Server.start(configuration, log: log)
        log.info(
            "listening",
            metadata: [
                "address": server.address.description, "model": configuration.session.modelName,
                "version": configuration.version,
            ])
        Output.write("Chalkline is ready: \(server.url)\n")
        for await signal in signals.stream {
            guard signal == SIGHUP else {
                log.info("stopping", metadata: ["signal": "\(signal)"])
                break
            }
            // Ignored rather than the end of the server: who reloads all services must not stop this one.
            if configuration.tlsCertificates.isEmpty, !configuration.tokens.areOn {
                log.info("nothing to reload", metadata: ["signal": "SIGHUP"])
            }
            if !configuration.tlsCertificates.isEmpty { reload(server, log) }
            if configuration.tokens.areOn { reloadTokens(server, given, log) }
        }
        // Another one: at once.
        let second = Task {
            for await signal in signals.stream where signal != SIGHUP { return server.hurry() }
        }
        await server.drain()
        second.cancel()
        LogSink.standardError.flush()
        return 0
    }

    private static func reload(_ server: Server, _ log: Logger) {
        do {
            try server.reloadCertificates()
            log.info("certificates reloaded")
        } catch {
            log.error("certificates not reloaded, the old ones stay", metadata: ["error": "\(error)"])
        }
    }
}

extension ServeCommand {
    /// Reads the settings once more, from where they came, and takes those of tokens.
    private static func reloadTokens(_ server: Server, _ flags: Flags, _ log: Logger) {
        var flags = flags
        do throws(ConfigurationError) {
            try server.reloadTokens(try ConfigCommand.load(&flags))
            log.info("token keys reloaded")
        } catch {
            log.error("token keys not reloaded, the old ones stay", metadata: ["error": "\(error)"])
        }
    }
}

/// SIGINT and SIGTERM, which stop the server, and SIGHUP, which has it read its certificates again.
private final class Signals: Sendable {
    let stream: AsyncStream<Int32>
    // Only kept alive; never used after `init`.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        let (stream, continuation) = AsyncStream<Int32>.makeStream()
        self.stream = stream
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number)
            // Not ignored first, as elsewhere: a signal between that and the watching would be lost, and the process would
            // go on. On Linux the source sets the signal's action itself; before that the default one is right.
            source.setEventHandler { @Sendable in continuation.yield(number) }
            source.resume()
            return source
        }
    }
}
