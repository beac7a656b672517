// ConfigurationLoader: settings from flags, environment and file.
// Spec: docs/configuration.md

/// Reads settings: flags beat the environment, which beats the file, which beats the defaults.
public enum ConfigurationLoader {
    /// Reads a configuration.
    ///
    /// - Parameters:
    ///   - flags: Values by the settings' names.
    ///   - environment: The process's environment. Names that begin with `CHALKLINE_` must be settings.
    ///   - file: The text of the configuration file, if one was named.
    ///   - readSecret: Gives the text of a file that a `…_FILE` variable names.
    /// - Returns: The configuration, checked as a whole.
    /// - Throws: ``ConfigurationError``.
    public static func load(
        flags: [String: String], environment: [String: String], file: String?,
        readSecret: (String) throws(ConfigurationError) -> String
    ) throws(ConfigurationError) -> Configuration {
        var values: [String: String] = [:]
        if let file { try read(file, into: &values) }
        try read(environment, into: &values, readSecret: readSecret)
        for (name, value) in flags.sorted(by: { $0.key < $1.key }) {
            let setting = try setting(
                name, source: "flags", shown: "--" + name.map { $0 == "_" ? "-" : String($0) }.joined())
            // Every user of the machine can read command lines.
            guard !setting.isSecret else {
                throw .value(
                    name: setting.flag,
                    reason: "a secret is not taken on the command line; use \(setting.environmentName)_FILE")
            }
            values[name] = value
        }
        var configuration = Configuration()
        for setting in Setting.all {
            guard let value = values[setting.name] else { continue }
            try setting.apply(value, &configuration)
        }
        try configuration.settle()
        return configuration
    }

    private static func read(_ file: String, into values: inout [String: String]) throws(ConfigurationError) {
        var seen: Set<String> = []
        for (index, line) in lines(file).enumerated() {
            guard !line.isEmpty, !line.hasPrefix("#") else { continue }
            guard let equals = line.firstIndex(of: "=") else { throw .line(number: index + 1) }
            let name = line[..<equals].trimmed
            guard seen.insert(name).inserted else { throw .repeated(name) }
            _ = try setting(name, source: "configuration file", shown: name)
            values[name] = line[line.index(after: equals)...].trimmed
        }
    }

    /// The lines of a text, trimmed.
    ///
    /// By bytes: Swift takes a CRLF for one character, which would not be split at.
    private static func lines(_ text: String) -> [String] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            (String($0) ?? "").trimmed
        }
    }

    private static func read(
        _ environment: [String: String], into values: inout [String: String],
        readSecret: (String) throws(ConfigurationError) -> String
    ) throws(ConfigurationError) {
        for (variable, value) in environment.sorted(by: { $0.key < $1.key }) where variable.hasPrefix("CHALKLINE_") {
            guard !notSettings.contains(variable) else { continue }
            let name = variable.dropFirst("CHALKLINE_".count).lowercased()
            if name.hasSuffix("_file"),
                let secret = Setting.all.first(where: { $0.isSecret && $0.name + "_file" == name })
            {
                guard environment[secret.environmentName] == nil else { throw .repeated(secret.environmentName) }
                values[secret.name] = lines(try readSecret(value)).first { !$0.isEmpty } ?? ""
                continue
            }
            _ = try setting(name, source: "environment", shown: variable)
            values[name] = value
        }
    }

    private static func setting(
        _ name: String, source: String, shown: String
    ) throws(ConfigurationError) -> Setting {
        if let setting = Setting.all.first(where: { $0.name == name }) { return setting }
        let nearest = Setting.all.min {
            EditDistance.between($0.name, name) < EditDistance.between($1.name, name)
        }
        let suggestion =
            switch source {
            case "environment": nearest?.environmentName
            case "flags": nearest?.flag
            default: nearest?.name
            }
        throw .unknown(name: shown, source: source, nearest: suggestion ?? "")
    }

    /// Variables with our prefix that set up the project's own tests and not the server, and the one that names the
    /// configuration file itself.
    static let notSettings: Set<String> = [
        "CHALKLINE_CONFIG", "CHALKLINE_EVAL_DATA", "CHALKLINE_INTERLEAVINGS", "CHALKLINE_SEED",
    ]
}
