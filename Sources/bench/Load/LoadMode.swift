// LoadMode: `bench load`, the load generator for echo servers.
// Spec: docs/performance.md

internal import Glibc
internal import NetIO

/// `bench load`: the load generator for echo servers.
enum LoadMode: BenchMode {
    static let name = "load"
    static let help = """
        --connect ADDRESS [--mode closed|lockstep|burst|rate|idle] [--connections N] [--batch K] [--frames B]
              [--bytes N] [--rate N] [--seconds S] [--warmup S] [--server-pid PID] [--json]
              sends text messages to an echo server and reports its CPU time a message, latency or memory
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        let options = try LoadOptions(arguments)
        DescriptorLimit.raise()
        let result = options.mode == .idle ? try idle(options) : try echo(options)
        print(options.isJSON ? result.json : result.table)
        return 0
    }

    private static func echo(_ options: LoadOptions) throws(LoadError) -> LoadResult {
        let client = try LoadClient(LoadFrames(count: options.frames, bytes: options.bytes))
        try client.open(options.connections, to: options.server)
        if options.mode == .closed { try client.fill(window: options.batch) }
        try drive(client, options, for: options.warmUp)
        client.reset()
        let window = try LoadWindow(serverPID: options.serverPID)
        try drive(client, options, for: options.window)
        var result = LoadResult()
        try window.add(to: &result, messages: client.messages)
        if options.mode == .rate { add(client.latencies.sorted(), to: &result) }
        return result
    }

    private static func drive(
        _ client: LoadClient, _ options: LoadOptions, for time: Duration
    ) throws(LoadError) {
        let end = MonotonicClock.nanoseconds() + UInt64(time / .nanoseconds(1))
        switch options.mode {
        case .closed:
            while MonotonicClock.nanoseconds() < end { try client.closedStep() }
        case .lockstep, .burst:
            while MonotonicClock.nanoseconds() < end { try client.lockstep(batch: options.batch) }
        case .rate:
            try client.send(rate: options.rate, until: end)
        case .idle:
            break
        }
    }

    private static func add(_ latencies: [UInt64], to result: inout LoadResult) {
        guard !latencies.isEmpty else { return }
        for (name, share) in [("p50_us", 0.5), ("p99_us", 0.99)] {
            result.add(name, Double(latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))]) / 1e3)
        }
    }

    /// Opens connections and compares the server's memory with that before; the window's length is the time to settle.
    private static func idle(_ options: LoadOptions) throws(LoadError) -> LoadResult {
        var result = LoadResult()
        let before = if let pid = options.serverPID { try ProcessFigures.status("VmRSS", of: pid) } else { 0 }
        let client = try LoadClient(LoadFrames(count: 1, bytes: options.bytes))
        let window = try LoadWindow(serverPID: options.serverPID)
        try client.open(options.connections, to: options.server)
        try window.add(to: &result, messages: 0)
        usleep(UInt32(options.window / .microseconds(1)))
        guard let pid = options.serverPID else { return result }
        let after = try ProcessFigures.status("VmRSS", of: pid)
        result.add("base_rss_kib", Double(before))
        result.add("rss_kib", Double(after))
        result.add("bytes_per_connection", Double((after - before) * 1_024) / Double(options.connections))
        result.add("threads", Double(try ProcessFigures.status("Threads", of: pid)))
        withExtendedLifetime(client) {}
        return result
    }
}
