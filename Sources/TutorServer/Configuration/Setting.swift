// Setting: one setting: its names, its meaning, how its text is read and shown.
// Spec: docs/configuration.md

/// One setting of the server.
///
/// The flag is `--name` with dashes, the environment's name `CHALKLINE_NAME` in capitals, the name in a file as it
/// stands here.
public struct Setting: Sendable {
    /// Lower case with underscores.
    public let name: String
    /// What it means, its unit and range, and why its default is what it is.
    public let meaning: String
    /// Whether its value is never shown, and may be read from a file named by `…_FILE`.
    public let isSecret: Bool
    /// Reads its text into a configuration.
    let apply: @Sendable (String, inout Configuration) throws(ConfigurationError) -> Void
    /// Its value as text.
    let show: @Sendable (Configuration) -> String

    /// Its value in a configuration, as text that reads back; a secret's is `<redacted>`.
    public func shown(in configuration: Configuration) -> String { show(configuration) }

    /// `CHALKLINE_NAME`.
    public var environmentName: String { "CHALKLINE_" + name.uppercased() }

    /// `--name`.
    public var flag: String { "--" + name.map { $0 == "_" ? "-" : String($0) }.joined() }

    init(
        _ name: String, _ meaning: String, isSecret: Bool = false,
        show: @escaping @Sendable (Configuration) -> String,
        apply: @escaping @Sendable (String, inout Configuration) throws(ConfigurationError) -> Void
    ) {
        self.name = name
        self.meaning = meaning
        self.isSecret = isSecret
        self.apply = apply
        self.show = show
    }

    /// A whole number within bounds.
    static func number(
        _ name: String, _ meaning: String, _ range: ClosedRange<Int>,
        _ path: any WritableKeyPath<Configuration, Int> & Sendable
    ) -> Setting {
        Setting(name, meaning, show: { String($0[keyPath: path]) }) {
            (text, configuration) throws(ConfigurationError) in
            guard let number = Int(text), range.contains(number) else {
                throw .value(
                    name: name, reason: "\(text) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            configuration[keyPath: path] = number
        }
    }

    /// A time in milliseconds within bounds.
    static func milliseconds(
        _ name: String, _ meaning: String, _ range: ClosedRange<Int>,
        _ path: any WritableKeyPath<Configuration, Duration> & Sendable
    ) -> Setting {
        Setting(name, meaning, show: { String($0[keyPath: path].wholeMilliseconds) }) {
            (text, configuration) throws(ConfigurationError) in
            guard let number = Int(text), range.contains(number) else {
                throw .value(
                    name: name,
                    reason: "\(text) is not a number of milliseconds from \(range.lowerBound) to \(range.upperBound)")
            }
            configuration[keyPath: path] = .milliseconds(number)
        }
    }

    /// One word of a closed list.
    static func choice<Value: RawRepresentable & CaseIterable & Sendable>(
        _ name: String, _ meaning: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable
    ) -> Setting where Value.RawValue == String {
        Setting(name, meaning, show: { $0[keyPath: path].rawValue }) {
            (text, configuration) throws(ConfigurationError) in
            guard let value = Value(rawValue: text) else {
                let words = Value.allCases.map(\.rawValue).joined(separator: ", ")
                throw .value(name: name, reason: "\(text) is none of \(words)")
            }
            configuration[keyPath: path] = value
        }
    }

    /// Any text.
    static func text(
        _ name: String, _ meaning: String, _ path: any WritableKeyPath<Configuration, String> & Sendable
    ) -> Setting {
        Setting(name, meaning, show: { $0[keyPath: path] }) { (text, configuration) throws(ConfigurationError) in
            configuration[keyPath: path] = text
        }
    }

    /// Texts separated by commas.
    static func list(
        _ name: String, _ meaning: String, _ path: any WritableKeyPath<Configuration, [String]> & Sendable
    ) -> Setting {
        Setting(name, meaning, show: { $0[keyPath: path].joined(separator: ",") }) {
            (text, configuration) throws(ConfigurationError) in
            configuration[keyPath: path] = text.split(separator: ",").map { $0.trimmed }.filter { !$0.isEmpty }
        }
    }
}

extension Duration {
    /// Milliseconds, rounded down; capped at what Int holds.
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let (whole, overflow) = Int(seconds).multipliedReportingOverflow(by: 1_000)
        return overflow ? Int.max : whole &+ Int(attoseconds / 1_000_000_000_000_000)
    }
}

extension StringProtocol {
    /// Without spaces and tabs at both ends.
    var trimmed: String {
        var text = self[...]
        while let first = text.first, first == " " || first == "\t" { text = text.dropFirst() }
        while let last = text.last, last == " " || last == "\t" || last == "\r" { text = text.dropLast() }
        return String(text)
    }
}
