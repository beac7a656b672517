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
    /// With TLS, the files of the certificate and its key.
    let certificate: TLSContext.Files?
    /// The bounds of its connections, and whether messages are compressed.
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
        certificate = try Self.certificate(flags.take("tls-cert"), flags.take("tls-key"))
        try flags.requireEmpty()
        var limits = Self.limits
        if flags.switches.contains("deflate") {
            // Every message, however short, so that the conformance cases see compression.
            var policy = DeflatePolicy()
            policy.threshold = 0
            policy.freshThreshold = 0
            limits.compression = policy
        }
        self.limits = limits
    }

    private static func certificate(_ certificate: String?, _ key: String?) throws -> TLSContext.Files? {
        switch (certificate, key) {
        case (let certificate?, let key?): return (certificate, key)
        case (nil, nil): return nil
        default: throw UsageError("--tls-cert and --tls-key go together")
        }
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
