// EchoMode: `bench echo`, a server that sends every message back.
// Spec: docs/performance.md

internal import Glibc
internal import NetIO
internal import TutorServer
internal import WireCore

/// `bench echo`: a server that sends every message back, on the transport of the product.
///
/// Nothing is left out for speed: UTF-8, limits, liveness and time-outs work as in `serve`.
enum EchoMode: BenchMode {
    static let name = "echo"
    static let help = """
        --listen ADDRESS [--shards N] [--deflate] [--tls-cert FILE --tls-key FILE]
              sends every message back; prints one line with its address when it is ready
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        let options = try EchoOptions(arguments)
        DescriptorLimit.raise()
        let group = try ShardGroup(count: options.shards)
        let tls = try options.certificate.map { try TLSContext(certificates: [$0]) }
        var address = options.listen
        for (index, shard) in group.shards.enumerated() {
            // The first socket finds the port; the others share it.
            let socket = try ListeningSocket(address, isShared: options.shards > 1).shared()
            if index == 0 { address = socket.address }
            try await start(options, socket, tls, on: shard)
        }
        print("bench echo is ready: \(tls == nil ? "ws" : "wss")://\(address)")
        fflush(nil)
        // A signal ends the process: there is nothing to save.
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    private static func start(
        _ options: EchoOptions, _ socket: SharedSocket, _ tls: TLSContext?, on shard: isolated Shard
    ) throws {
        let service = EchoService()
        let limits = options.limits
        let deflate = limits.compression.map { DeflatePool(policy: $0) }
        try Listener.start(socket.take(), tls: tls, on: shard) { connection in
            HTTPChannel(connection, service: service, limits: limits, deflate: deflate, on: shard) {}
        }
    }
}
