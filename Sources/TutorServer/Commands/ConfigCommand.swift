// ConfigCommand: prints or checks the settings.
// Spec: docs/configuration.md

internal import Glibc

/// `config print`, `config check`, and the loading that `serve` shares with them.
enum ConfigCommand {
    static func run(_ arguments: [String]) throws -> Int32 {
        var flags = try Flags(arguments)
        guard let word = flags.words.first, flags.words.count == 1 else {
            throw UsageError("config takes one of print, check, reference")
        }
        switch word {
        case "print":
            let configuration = try load(&flags)
            for setting in Setting.all { Output.write("\(setting.name) = \(setting.show(configuration))\n") }
        case "check":
            _ = try load(&flags)
            Output.write("the settings are good\n")
        case "reference":
            Output.write(SettingReference.markdown)
        default:
            throw UsageError("config takes one of print, check, reference")
        }
        return 0
    }

    /// Reads the settings that a command's flags, the environment and the named file give.
    static func load(_ flags: inout Flags) throws(ConfigurationError) -> Configuration {
        var environment: [String: String] = [:]
        var pointer = environ
        while let entry = pointer.pointee {
            let pair = String(cString: entry)
            if let equals = pair.firstIndex(of: "=") {
                environment[String(pair[..<equals])] = String(pair[pair.index(after: equals)...])
            }
            pointer += 1
        }
        let path = flags.take("config") ?? environment["CHALKLINE_CONFIG"]
        var file: String?
        if let path { file = String(decoding: try Output.contents(path), as: UTF8.self) }
        var named: [String: String] = [:]
        for (name, value) in flags.values {
            named[name.map { $0 == "-" ? "_" : String($0) }.joined()] = value
        }
        return try ConfigurationLoader.load(flags: named, environment: environment, file: file) {
            (path) throws(ConfigurationError) in String(decoding: try Output.contents(path), as: UTF8.self)
        }
    }
}
