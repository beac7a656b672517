// EchoOptions: how an echo server is started.

internal import NetIO
internal import TutorServer
internal import WireCore

/// How an echo server is started.
struct EchoOptions: Sendable {
    /// Where to listen.
    let listen: ListenAddress
    /// How many shards; default 1, since the comparison is per core.
    let shards: Int
    /// The bounds of its connections.
    let limits: TransportLimits

    /// Reads the command's arguments.
    init(_ arguments: [String]) throws {
        var flags = try Flags(arguments, switches: ["deflate"])
        guard let listen = flags.take("listen") else { throw UsageError("--listen ADDRESS is missing") }
        self.listen = try ListenAddress(listen)
        guard let shards = Int(flags.take("shards") ?? "1"), (1...256).contains(shards) else {
            throw UsageError("--shards takes a number from 1 to 256")
        }
        self.shards = shards
        if flags.switches.contains("deflate") { throw UsageError("--deflate is not built yet") }
        if flags.take("tls-cert") != nil || flags.take("tls-key") != nil {
            throw UsageError("--tls-cert and --tls-key are not built yet")
        }
        try flags.requireEmpty()
        limits = Self.limits
    }

    /// The limits of a server of tutoring messages are too narrow for the conformance cases with messages of 16 MiB, in
    /// fragments of 64 bytes and more, which the client sends before it reads.
    private static var limits: TransportLimits {
        var limits = TransportLimits()
        limits.webSocket.messageBytes = 16 << 20
        limits.webSocket.fragments = 1 << 18
        limits.webSocket.assemblyTime = .seconds(120)
        limits.queueBytes = 64 << 20
        return limits
    }
}
