// LogSink: where log lines go.

internal import Dispatch
internal import Glibc
internal import Synchronization

/// Where log lines go: a file descriptor, written on a queue of its own so that a slow reader of the log never holds
/// up a shard.
///
/// At most ``pendingLimit`` lines wait; more are dropped and counted, and the next line that fits says how many.
public final class LogSink: Sendable {
    /// Lines that may wait to be written.
    public static let pendingLimit = 4_096

    private let descriptor: Int32
    private let queue = DispatchQueue(label: "chalkline.log")
    private let pending = Atomic<Int>(0)
    private let dropped = Atomic<Int>(0)

    /// Standard error.
    public static let standardError = LogSink(descriptor: 2)

    /// Writes to a descriptor, which stays the caller's.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Hands a line over.
    ///
    /// Any thread; never waits.
    func write(_ line: [UInt8]) {
        guard pending.wrappingAdd(1, ordering: .relaxed).newValue <= Self.pendingLimit else {
            pending.wrappingSubtract(1, ordering: .relaxed)
            dropped.wrappingAdd(1, ordering: .relaxed)
            return
        }
        queue.async { [self] in
            let lost = dropped.exchange(0, ordering: .relaxed)
            if lost > 0 { put([UInt8]("dropped \(lost) log lines\n".utf8)) }
            put(line)
            pending.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Waits until everything handed over so far is written.
    ///
    /// Not from a shard.
    public func flush() { queue.sync {} }

    private func put(_ line: [UInt8]) {
        var sent = 0
        while sent < line.count {
            let count = line.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: sent), line.count - sent)
            }
            if count > 0 { sent += count } else if count == 0 || errno != EINTR { return }
        }
    }
}
