// RoundTimer: the time that one call of something takes, as medians over rounds.
// Spec: docs/performance.md

internal import CLinux
internal import Glibc

/// The time that one call of something takes, as medians over rounds that alternate between all that is compared.
struct RoundTimer {
    /// One thing to measure.
    struct Subject {
        var name: String
        /// Bytes that one call reads or writes.
        var byteCount: Int
        /// Calls in one round.
        var calls: Int
        var body: () throws -> Void
    }

    /// What was measured of one call, in nanoseconds.
    struct Result {
        var name: String
        var byteCount: Int
        /// CPU time of the thread: foreign load on the machine is not in it.
        var cpu: Double
        /// Time on the clock.
        var wall: Double

        /// Million bytes a second of CPU time.
        var megabytesPerSecond: Double { Double(byteCount) * 1_000 / cpu }
    }

    /// Runs every subject once in each round, after a round that is not counted.
    static func measure(_ subjects: [Subject], rounds: Int) throws -> [Result] {
        var cpu = [[Double]](repeating: [], count: subjects.count)
        var wall = cpu
        for round in 0...rounds {
            for (index, subject) in subjects.enumerated() {
                let start = (cpu: now(CLOCK_THREAD_CPUTIME_ID), wall: now(CLOCK_MONOTONIC))
                for _ in 0..<subject.calls { try subject.body() }
                let end = (cpu: now(CLOCK_THREAD_CPUTIME_ID), wall: now(CLOCK_MONOTONIC))
                guard round > 0 else { continue }
                cpu[index].append(Double(end.cpu - start.cpu) / Double(subject.calls))
                wall[index].append(Double(end.wall - start.wall) / Double(subject.calls))
            }
        }
        return subjects.indices.map { index in
            Result(
                name: subjects[index].name, byteCount: subjects[index].byteCount, cpu: median(cpu[index]),
                wall: median(wall[index]))
        }
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return sorted[sorted.count / 2]
    }

    /// The time of a clock, in nanoseconds.
    static func now(_ clock: clockid_t) -> Int {
        var time = timespec()
        clock_gettime(clock, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
