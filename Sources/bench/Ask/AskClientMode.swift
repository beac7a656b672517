// AskClientMode: students who ask through the whole server, again and again.
// Spec: docs/performance-tokens.md

internal import Glibc
internal import NetIO
internal import TutorServer

/// `bench ask-client`: opens sessions on a running server, sends each a screen and asks.
enum AskClientMode: BenchMode {
    static let name = "ask-client"
    static let help = """
        --server HOST:PORT --server-process PID [--clients 16] [--spread 0] [--warm-up 1] [--seconds 4]
              asks again as soon as a turn has ended; first asks are spread over --spread seconds. One line of JSON:
              turns, text events, time to the first text, CPU time of the server's process, foreign load. The server's
              asks_per_minute must allow it
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        var flags = try Flags(arguments)
        guard let server = try flags.take("server").map({ try ListenAddress($0) }),
            let process = flags.take("server-process").flatMap({ Int($0) })
        else { throw UsageError("--server and --server-process are needed") }
        let clients = flags.take("clients").flatMap { Int($0) } ?? 16
        let spread = flags.take("spread").flatMap { Double($0) } ?? 0
        let warmUp = flags.take("warm-up").flatMap { Double($0) } ?? 1
        let seconds = flags.take("seconds").flatMap { Double($0) } ?? 4
        try flags.requireEmpty()
        DescriptorLimit.raise()
        var load = try AskLoad(server, clients: clients, spread: spread)
        try load.run(for: warmUp)
        load.clear()
        let window = StreamWindow(server: process, others: [Int(getpid())])
        try load.run(for: seconds)
        let cost = window.end()
        let first = load.firstText.microseconds([0.5, 0.99, 1])
        print(
            #"{"clients":\#(clients),"seconds":\#(cost.seconds),"turns":\#(load.turns),"texts":\#(load.texts),"#
                + #""first_p50_us":\#(first[0]),"first_p99_us":\#(first[1]),"first_max_us":\#(first[2]),"#
                + #""server_seconds":\#(cost.serverSeconds),"foreign_cores":\#(cost.foreignCores)}"#)
        return 0
    }
}
