// ProcessorTime: what the test's own thread has used of a processor.
// Spec: docs/models.md (tests)

import Glibc

/// What the test's own thread has used of a processor.
enum ProcessorTime {
    /// In user and kernel mode together, since the thread began.
    static var ofThread: Duration {
        var usage = rusage()
        // RUSAGE_THREAD, which is not imported: other tests run beside this one.
        getrusage(__rusage_who_t(1), &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}
