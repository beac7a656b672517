// Logger: writes log lines of one part of the program.

internal import Glibc

/// Writes log lines of one part of the program.
///
/// Cheap to copy; any thread.
///
/// No line may hold question text, screen text, a key or a token: pass ids, counts and codes.
public struct Logger: Sendable {
    /// The part of the program, such as `chalkline.server`.
    public let label: String
    /// Lines below this level are not made.
    ///
    /// Default `info`.
    public var level: LogLevel
    private let sink: LogSink

    /// Makes a logger.
    public init(label: String, level: LogLevel = .info, sink: LogSink = .standardError) {
        self.label = label
        self.level = level
        self.sink = sink
    }

    /// Writes a line of any level.
    public func log(
        _ level: LogLevel, _ message: @autoclosure () -> String,
        metadata: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) {
        guard level >= self.level else { return }
        var line: [UInt8] = []
        LogLine.append(
            time: Self.time(), level: level, label: label, message: message(), metadata: metadata(), to: &line)
        sink.write(line)
    }

    /// Something a developer may want to know.
    public func debug(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { log(.debug, message(), metadata: metadata()) }

    /// Something an operator may want to know.
    public func info(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { log(.info, message(), metadata: metadata()) }

    /// Something an operator should look at some day.
    public func warning(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { log(.warning, message(), metadata: metadata()) }

    /// Something that failed.
    public func error(
        _ message: @autoclosure () -> String, metadata: @autoclosure () -> KeyValuePairs<String, String> = [:]
    ) { log(.error, message(), metadata: metadata()) }

    /// RFC 3339 in UTC with milliseconds.
    private static func time() -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var seconds = now.tv_sec
        var parts = tm()
        gmtime_r(&seconds, &parts)
        func pad(_ number: some BinaryInteger, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(pad(parts.tm_year + 1_900, 4))-\(pad(parts.tm_mon + 1, 2))-\(pad(parts.tm_mday, 2))T"
            + "\(pad(parts.tm_hour, 2)):\(pad(parts.tm_min, 2)):\(pad(parts.tm_sec, 2))."
            + "\(pad(now.tv_nsec / 1_000_000, 3))Z"
    }
}
