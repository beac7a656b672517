// StoreSettings: where the store lies, and its bounds.
// Spec: docs/reliability.md; docs/architecture.md (limits)

internal import Glibc

/// Where the store lies, and its bounds.
public struct StoreSettings: Sendable {
    /// The data folder; made with mode 0700 when there is none.
    public var folder: String
    /// Days after which a session that nobody touched is deleted; 0 keeps it for ever.
    ///
    /// Default 30: a month of school.
    public var retentionDays = 30
    /// Most rows of sessions, turns and events that wait for the disk, beside those of the transaction that runs.
    ///
    /// Default 10 000: about two seconds of a busy server, some 10 MiB.
    public var waitingRows = 10_000
    /// Most other requests that wait.
    ///
    /// Default 1 000.
    public var waitingRequests = 1_000
    /// Size of the write-ahead log, in bytes, above which there is a notice.
    ///
    /// Default 64 MiB; it is cut to that after each checkpoint, so only a reader that stays makes it longer.
    public var walBytes = 67_108_864
    /// Longest export, in bytes; what is over is left out, and the export says so.
    ///
    /// Default 16 MiB.
    public var exportBytes = 16_777_216
    /// Largest file, in bytes, that is checked as a whole when it is opened.
    ///
    /// Default 64 MiB, a fraction of a second; damage in a larger one shows when it is read.
    public var checkedBytes = 67_108_864
    /// Quiet time after which the write-ahead log is emptied, in milliseconds.
    ///
    /// Default 5 000.
    public var idleMilliseconds = 5_000
    /// Time between attempts to write while the disk does not take anything, in milliseconds.
    ///
    /// Default 2 000.
    public var probeMilliseconds = 2_000
    /// Time between looks for sessions that are too old, in milliseconds.
    ///
    /// Default one hour.
    public var retentionMilliseconds = 3_600_000
    /// Rows that one slice of a deletion takes, so that writes wait for milliseconds only.
    ///
    /// Default 200.
    public var sliceRows = 200
    /// Shortest time between two notices of one kind, and between two damaged files, in milliseconds.
    ///
    /// Default one minute.
    public var noticeMilliseconds = 60_000
    /// Damaged files that are kept.
    ///
    /// Default 3, the newest.
    public var keptDamaged = 3
    /// The time in milliseconds since 1970; retention goes by it.
    public var wallNow: @Sendable () -> Int64 = StoreClock.wall
    /// Makes calls fail, in tests.
    package var faults: SQLiteFaults?
    /// The changes of the file's form; others only in tests.
    package var migrations = Schema.migrations

    /// Makes settings with the defaults.
    public init(folder: String) { self.folder = folder }
}

/// The two clocks that storage goes by.
package enum StoreClock {
    /// Milliseconds since 1970.
    @Sendable package static func wall() -> Int64 { read(CLOCK_REALTIME) }

    /// Milliseconds that never jump.
    package static func steady() -> Int64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
