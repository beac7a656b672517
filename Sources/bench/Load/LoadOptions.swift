// LoadOptions: what the load generator is to do.

internal import NetIO
internal import TutorServer

/// What the load generator is to do.
struct LoadOptions: Sendable {
    /// How messages are sent.
    enum Mode: String, CaseIterable, Sendable {
        /// Each connection keeps `batch` messages outstanding: throughput.
        case closed
        /// One message to `batch` of the connections, wait for all replies, again: cost at a batch size that is known.
        case lockstep
        /// As lock-step, with `frames` messages in each segment: the cost in user space.
        case burst
        /// `rate` messages a second, whatever the replies: latency.
        case rate
        /// Connections that do nothing: memory.
        case idle
    }

    /// How messages are sent.
    let mode: Mode
    /// The server; IPv4.
    let server: ListenAddress
    /// How many connections.
    let connections: Int
    /// Messages outstanding: on each connection (closed), or connections at work (lock-step, burst).
    let batch: Int
    /// Messages in each segment; 16 in bursts, else 1.
    let frames: Int
    /// Bytes of a message.
    let bytes: Int
    /// Messages a second in all.
    let rate: Int
    /// How long is measured.
    let window: Duration
    /// How long the same is done before.
    let warmUp: Duration
    /// The server's process, for its CPU time and memory.
    let serverPID: Int32?
    /// Whether the result is a JSON object.
    let isJSON: Bool

    /// Reads the command's arguments.
    init(_ arguments: [String]) throws {
        var flags = try Flags(arguments, switches: ["json"])
        guard let mode = Mode(rawValue: flags.take("mode") ?? "lockstep") else {
            throw UsageError("--mode is one of \(Mode.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let server = flags.take("connect") else { throw UsageError("--connect ADDRESS is missing") }
        func number(_ name: String, _ fallback: Int, _ range: ClosedRange<Int>) throws -> Int {
            guard let text = flags.take(name) else { return fallback }
            guard let value = Int(text), range.contains(value) else {
                throw UsageError("--\(name) takes a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
        func seconds(_ name: String, _ fallback: Double) throws -> Duration {
            guard let text = flags.take(name) else { return .seconds(fallback) }
            guard let value = Double(text), value >= 0, value <= 3_600 else {
                throw UsageError("--\(name) takes seconds from 0 to 3600")
            }
            return .seconds(value)
        }
        self.mode = mode
        self.server = try ListenAddress(server)
        connections = try number("connections", mode == .idle ? 10_000 : 100, 1...1_000_000)
        batch = min(try number("batch", 1, 1...1_000_000), mode == .closed ? 1_000 : connections)
        frames = try number("frames", mode == .burst ? 16 : 1, 1...1_024)
        bytes = try number("bytes", 20, 1...(16 << 20))
        rate = try number("rate", 1_000, 1...1_000_000)
        window = try seconds("seconds", 1)
        warmUp = try seconds("warmup", 0.3)
        serverPID = try flags.take("server-pid").map { text in
            guard let pid = Int32(text), pid > 0 else { throw UsageError("--server-pid takes a process number") }
            return pid
        }
        isJSON = flags.switches.contains("json")
        try flags.requireEmpty()
    }
}
