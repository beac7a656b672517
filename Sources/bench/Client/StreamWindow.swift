// StreamWindow: what a span of time cost the processes of a measurement.
// Source: proc(5): /proc/PID/task/TID/schedstat

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
    private let machine: Double
    private let serverProcess: Int
    private let otherProcesses: [Int]

    /// Begins now.
    init(server: Int, others: [Int]) {
        serverProcess = server
        otherProcesses = others
        start = MonotonicClock.nanoseconds()
        self.server = Self.time(of: server)
        self.others = others.reduce(0) { $0 + Self.time(of: $1) }
        machine = ProcessFigures.machineCPUSeconds()
    }

    /// Ends now.
    func end() -> (seconds: Double, serverSeconds: Double, foreignCores: Double) {
        let seconds = Double(MonotonicClock.nanoseconds() - start) / 1e9
        let serverTime = Double(Self.time(of: serverProcess) &- server) / 1e9
        let otherTime = Double(otherProcesses.reduce(0) { $0 + Self.time(of: $1) } &- others) / 1e9
        let all = ProcessFigures.machineCPUSeconds() - machine
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

    private static func words(_ path: String) -> [Substring] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, Int32(line.count), file) != nil else { return [] }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }
    }
}
