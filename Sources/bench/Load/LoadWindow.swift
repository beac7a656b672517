// LoadWindow: whose CPU time passed while something was measured.

internal import Glibc
internal import NetIO

/// Time and CPU time from a moment on: the server's, our own, and everybody else's.
struct LoadWindow {
    private let start = MonotonicClock.nanoseconds()
    private let machine = ProcessFigures.machineCPUSeconds()
    private let client: Double
    private let server: Double
    private let serverPID: Int32?

    init(serverPID: Int32?) throws(LoadError) {
        self.serverPID = serverPID
        client = try ProcessFigures.cpuSeconds(of: getpid())
        server = if let serverPID { try ProcessFigures.cpuSeconds(of: serverPID) } else { 0 }
    }

    /// Adds what passed since: seconds, cores that others kept busy, and what the server spent on each message.
    func add(to result: inout LoadResult, messages: Int) throws(LoadError) {
        let seconds = Double(MonotonicClock.nanoseconds() - start) / 1e9
        let ours = try ProcessFigures.cpuSeconds(of: getpid()) - client
        let theirs = if let serverPID { try ProcessFigures.cpuSeconds(of: serverPID) - server } else { 0.0 }
        let all = ProcessFigures.machineCPUSeconds() - machine
        result.add("messages", Double(messages))
        result.add("seconds", seconds)
        result.add("messages_per_second", Double(messages) / seconds)
        result.add("client_cores", ours / seconds)
        guard serverPID != nil else { return }
        result.add("server_cores", theirs / seconds)
        result.add("foreign_cores", max(0, all - ours - theirs) / seconds)
        if messages > 0 { result.add("server_us_per_message", theirs * 1e6 / Double(messages)) }
    }
}
