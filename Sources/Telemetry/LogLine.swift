// LogLine: one line of the log, as text.

/// One line of the log: time, level, label, message, and `key=value` pairs in the order given.
public enum LogLine {
    /// Appends a line with its line feed.
    ///
    /// Values with spaces, quotes or control characters are quoted and escaped, so that no value can begin a line or
    /// another pair of its own.
    public static func append(
        time: String, level: LogLevel, label: String, message: String, metadata: KeyValuePairs<String, String>,
        to buffer: inout [UInt8]
    ) {
        buffer += "\(time) \(level.rawValue) \(label) ".utf8
        appendText(message, to: &buffer)
        for (key, value) in metadata {
            buffer += " \(key)=".utf8
            appendValue(value, to: &buffer)
        }
        buffer.append(UInt8(ascii: "\n"))
    }

    private static func appendValue(_ value: String, to buffer: inout [UInt8]) {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "\"") && $0 != 0x7F }
        if isPlain {
            buffer += value.utf8
        } else {
            buffer.append(UInt8(ascii: "\""))
            appendText(value, to: &buffer)
            buffer.append(UInt8(ascii: "\""))
        }
    }

    private static func appendText(_ text: String, to buffer: inout [UInt8]) {
        for byte in text.utf8.prefix(textLimit) {
            switch byte {
            case UInt8(ascii: "\""): buffer += "\\\"".utf8
            case UInt8(ascii: "\\"): buffer += "\\\\".utf8
            case 0x0A: buffer += "\\n".utf8
            case 0x00..<0x20, 0x7F: buffer.append(UInt8(ascii: "?"))
            default: buffer.append(byte)
            }
        }
    }

    /// Most bytes of one text; the rest is cut.
    static let textLimit = 2_000
}
