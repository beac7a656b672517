// UpstreamMode: an endpoint that streams tokens at a fixed rate, each with the time of its sending.
// Spec: docs/performance-tokens.md

internal import CLinux
internal import Glibc
internal import NetIO
internal import TutorServer

/// `bench upstream`: chat completions as event streams over HTTP/1.1, chunked, one token a chunk.
enum UpstreamMode: BenchMode {
    static let name = "upstream"
    static let help = """
        [--listen 127.0.0.1:0] [--streams 2000]
              an endpoint of chat completions; each text is "@" and the monotonic time of its sending in nanoseconds;
              GET /rate/N/S sets tokens a second (40) and how many streams begin together (1)
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        var flags = try Flags(arguments)
        let address = try ListenAddress(flags.take("listen") ?? "127.0.0.1:0")
        let limit = Int(flags.take("streams") ?? "2000") ?? 2_000
        try flags.requireEmpty()
        DescriptorLimit.raise()
        let endpoint = try TokenEndpoint(address, limit: limit)
        print("listening on \(address.withPort(endpoint.port))")
        fflush(nil)
        try endpoint.run()
    }
}
