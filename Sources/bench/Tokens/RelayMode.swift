// RelayMode: the servers under test of the token benchmark.
// Spec: docs/performance-tokens.md

internal import Glibc
internal import NetIO
internal import TutorServer

/// `bench relay`: for each WebSocket a stream from the endpoint, its tokens sent on as they come.
enum RelayMode: BenchMode {
    static let name = "relay"
    static let help = """
        --kind model|floor --upstream HOST:PORT [--listen 127.0.0.1:0]
              a relay on one shard: `model` is this server's own path (libcurl, decoder, events, WebSocket), `floor`
              raw sockets with nothing in between
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        var flags = try Flags(arguments)
        let wanted = try ListenAddress(flags.take("listen") ?? "127.0.0.1:0")
        guard let upstream = try flags.take("upstream").map({ try ListenAddress($0) }) else {
            throw UsageError("--upstream is missing")
        }
        let kind = flags.take("kind")
        guard kind == "model" || kind == "floor" else { throw UsageError("--kind is model or floor") }
        try flags.requireEmpty()
        DescriptorLimit.raise()
        let socket = try ListeningSocket(wanted, isShared: false).shared()
        let group = try ShardGroup(count: 1)
        let keeper = Keeper()
        for shard in group.shards {
            if kind == "model" {
                try await startModel(socket, upstream, keeper, on: shard)
            } else {
                try await startFloor(socket, upstream, keeper, on: shard)
            }
        }
        print("listening on \(socket.address)")
        fflush(nil)
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    /// What must live as long as the program.
    ///
    /// Confined to the shard.
    private final class Keeper: @unchecked Sendable {
        var objects: [AnyObject] = []
    }

    private static func startModel(
        _ socket: SharedSocket, _ upstream: ListenAddress, _ keeper: Keeper, on shard: isolated Shard
    ) throws {
        let relay = try ModelRelay(upstream, on: shard)
        let listener = try Listener.start(socket.take(), on: shard) { connection in
            HTTPChannel(connection, service: relay, limits: TransportLimits(), on: shard) {}
        }
        keeper.objects += [relay, listener]
    }

    private static func startFloor(
        _ socket: SharedSocket, _ upstream: ListenAddress, _ keeper: Keeper, on shard: isolated Shard
    ) throws {
        let listener = try Listener.start(socket.take(), on: shard) { _ in FloorRelay(upstream: upstream) }
        keeper.objects.append(listener)
    }
}
