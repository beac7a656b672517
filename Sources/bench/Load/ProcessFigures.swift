// ProcessFigures: CPU time and memory from /proc.
// Source: proc(5)

internal import Foundation
internal import Glibc

/// CPU time and memory of processes, from /proc.
enum ProcessFigures {
    /// CPU seconds of a process, user and system, with those of threads that have ended.
    static func cpuSeconds(of pid: Int32) throws(LoadError) -> Double {
        guard let text = read("/proc/\(pid)/stat"), let end = text.lastIndex(of: ")") else { throw .noProcess(pid) }
        // After the name, which may hold spaces: state is field 3, utime 14, stime 15.
        let fields = text[text.index(after: end)...].split(separator: " ")
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
            throw .noProcess(pid)
        }
        return (user + system) / ticksPerSecond
    }

    /// CPU seconds of the whole machine at work, all cores.
    ///
    /// With what a hypervisor gave to other guests (steal): to a measurement that is the load of others, like theirs.
    static func machineCPUSeconds() -> Double {
        guard let line = read("/proc/stat")?.split(separator: "\n").first else { return 0 }
        // cpu user nice system idle iowait irq softirq steal; guests are in user already.
        let fields = line.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard fields.count == 8 else { return 0 }
        return (fields[0] + fields[1] + fields[2] + fields[5] + fields[6] + fields[7]) / ticksPerSecond
    }

    /// A figure of `/proc/PID/status`, such as `VmRSS` in KiB or `Threads`.
    static func status(_ name: String, of pid: Int32) throws(LoadError) -> Int {
        let lines = read("/proc/\(pid)/status")?.split(separator: "\n") ?? []
        guard let line = lines.first(where: { $0.hasPrefix("\(name):") }),
            let value = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) })
        else { throw .noProcess(pid) }
        return value
    }

    private static func read(_ path: String) -> String? {
        (FileManager.default.contents(atPath: path)).map { String(decoding: $0, as: UTF8.self) }
    }

    private static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }
}
