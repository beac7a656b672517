// TokenClientMode: reads relayed tokens and tells how late they were and what they cost.
// Spec: docs/performance-tokens.md

internal import Glibc
internal import NetIO
internal import TutorServer

/// `bench token-client`: opens WebSockets to a relay and measures what comes.
enum TokenClientMode: BenchMode {
    static let name = "token-client"
    static let help = """
        --server HOST:PORT --server-process PID [--other-process PID] [--streams 50] [--warm-up 1] [--seconds 4]
              one line of JSON: tokens a second, latency, CPU time of the server's process, foreign load
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        var flags = try Flags(arguments)
        guard let server = try flags.take("server").map({ try ListenAddress($0) }),
            let process = flags.take("server-process").flatMap({ Int($0) })
        else { throw UsageError("--server and --server-process are needed") }
        let others = flags.take("other-process").flatMap { Int($0) }.map { [$0] } ?? []
        let streams = flags.take("streams").flatMap { Int($0) } ?? 50
        let warmUp = flags.take("warm-up").flatMap { Double($0) } ?? 1
        let seconds = flags.take("seconds").flatMap { Double($0) } ?? 4
        try flags.requireEmpty()
        DescriptorLimit.raise()
        var client = try TokenClient(server, streams: streams)
        _ = try client.read(for: warmUp)
        client.latencies.removeAll()
        let window = StreamWindow(server: process, others: others + [Int(getpid())])
        try client.read(for: seconds)
        let cost = window.end()
        let tokens = client.latencies.count
        let late = client.latencies.microseconds([0.5, 0.99, 1])
        print(
            #"{"streams":\#(streams),"open":\#(client.openCount),"seconds":\#(cost.seconds),"tokens":\#(tokens),"#
                + #""p50_us":\#(late[0]),"p99_us":\#(late[1]),"max_us":\#(late[2]),"#
                + #""server_seconds":\#(cost.serverSeconds),"foreign_cores":\#(cost.foreignCores)}"#)
        return 0
    }
}

/// WebSockets that only read.
private struct TokenClient {
    var latencies = StreamLatencies()
    private let loop: StreamLoop
    private var sockets: [StreamSocket] = []
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)

    init(_ server: ListenAddress, streams: Int) throws {
        loop = try StreamLoop()
        for index in 0..<streams {
            let socket = try StreamSocket(server, path: "/", subprotocol: nil)
            try loop.add(socket.descriptor, tag: index)
            sockets.append(socket)
        }
    }

    var openCount: Int { sockets.count { !$0.isOver } }

    mutating func read(for seconds: Double) throws {
        var now = MonotonicClock.nanoseconds()
        let end = now + UInt64(seconds * 1e9)
        while now < end {
            for tag in loop.wait(until: end, now: now) {
                let socket = sockets[tag]
                guard !socket.isOver else { throw StreamSocketError.refused("the relay ended a stream") }
                try socket.receive(into: buffer) { note($0) }
            }
            now = MonotonicClock.nanoseconds()
        }
    }

    /// Each "@" and the digits behind it are a token's time.
    private mutating func note(_ message: UnsafeRawBufferPointer) {
        let now = MonotonicClock.nanoseconds()
        var index = 0
        while index < message.count {
            guard message[index] == 0x40 else {
                index += 1
                continue
            }
            index += 1
            var sent: UInt64 = 0
            while index < message.count, message[index] >= 0x30, message[index] <= 0x39 {
                sent = sent &* 10 &+ UInt64(message[index] - 0x30)
                index += 1
            }
            latencies.add(now > sent ? now - sent : 0)
        }
    }
}
