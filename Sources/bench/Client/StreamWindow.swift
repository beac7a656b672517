// StreamWindow: what a span of time cost the processes of a measurement.
// Source: proc(5): /proc/PID/task/TID/schedstat, /proc/stat

internal import Glibc
internal import NetIO

/// What a span of time cost the processes of a measurement.
///
/// The processes' time is the scheduler's own account of each thread in nanoseconds: `utime` and `stime` of
/// `/proc/PID/stat` hold the same sum in steps of 10 ms, too coarse for one stream. A thread that ends within the span
/// is not counted; the programs measured here end none.
struct StreamWindow {
    private let start: UInt64
    private let server: UInt64
    private let others: UInt64
    private let machine: UInt64
    private let serverProcess: Int
    private let otherProcesses: [Int]

    /// Begins now.
    init(server: Int, others: [Int]) {
        serverProcess = server
        otherProcesses = others
        start = MonotonicClock.nanoseconds()
        self.server = Self.time(of: server)
        self.others = others.reduce(0) { $0 + Self.time(of: $1) }
        machine = Self.machineTime()
    }

    /// Ends now.
    func end() -> (seconds: Double, serverSeconds: Double, foreignCores: Double) {
        let seconds = Double(MonotonicClock.nanoseconds() - start) / 1e9
        let serverTime = Double(Self.time(of: serverProcess) &- server) / 1e9
        let otherTime = Double(otherProcesses.reduce(0) { $0 + Self.time(of: $1) } &- others) / 1e9
        let all = Double(Self.machineTime() &- machine) / 1e9
        return (seconds, serverTime, max(0, all - serverTime - otherTime) / seconds)
    }

    /// CPU time of a process, in nanoseconds.
    static func time(of process: Int) -> UInt64 {
        guard let folder = opendir("/proc/\(process)/task") else { return 0 }
        defer { closedir(folder) }
        var sum: UInt64 = 0
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard Int(name) != nil else { continue }
            sum += words("/proc/\(process)/task/\(name)/schedstat").first.flatMap { UInt64($0) } ?? 0
        }
        return sum
    }

    /// Time in which the machine's cores were not idle, in nanoseconds.
    private static func machineTime() -> UInt64 {
        let fields = words("/proc/stat").dropFirst().prefix(8).compactMap { UInt64($0) }
        guard fields.count == 8 else { return 0 }
        // user, nice, system, idle, iowait, irq, softirq, steal.
        return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]) * 10_000_000
    }

    private static func words(_ path: String) -> [Substring] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, Int32(line.count), file) != nil else { return [] }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }
    }
}
