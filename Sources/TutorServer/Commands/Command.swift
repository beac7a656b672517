// Command: the program's commands, and what they need of the outside.
// Spec: docs/architecture.md (commands)

/// The program: chooses a command by its first argument.
public enum Command {
    /// Runs the program and exits with its status: 0 for success, 1 for a failure, 2 for wrong usage.
    ///
    /// Call it as the only line of `main.swift`.
    public static func run() -> Never { Program.run { await run($0) } }

    static func run(_ arguments: [String]) async -> Int32 {
        do {
            switch arguments.first {
            case "serve": return try await ServeCommand.run(Array(arguments.dropFirst()))
            case "select": return try SelectCommand.run(Array(arguments.dropFirst()))
            case "config": return try ConfigCommand.run(Array(arguments.dropFirst()))
            case "token": return try TokenCommand.run(Array(arguments.dropFirst()))
            case "help", "--help", "-h":
                Output.write(help)
                return 0
            case "version", "--version":
                Output.write("chalkline \(Configuration().version)\n")
                return 0
            case let name?:
                throw UsageError("no such command: \(name)")
            case nil:
                throw UsageError("a command is missing")
            }
        } catch let error as UsageError {
            Output.writeError("chalkline: \(error.text); see chalkline help\n")
            return 2
        } catch {
            Output.writeError("chalkline: \(error)\n")
            return 1
        }
    }

    static let help = """
        usage: chalkline COMMAND [OPTIONS]

          serve [--listen HOST:PORT] [--config FILE] [--SETTING VALUE …]
                run the server; the built-in tutor answers unless a model is set
          select --screen FILE --question TEXT [--budget N] [--focus X,Y] [--json]
          select --batch
                which elements of a screen a model would get, and why
          token --role student|teacher|observer|admin --subject NAME [--room ROOM] [--name NAME] [--ttl 10m]
                [--tokens-per-day N] [--asks-per-minute N] [--kid KEY]
                print a token, signed with the secret that CHALKLINE_TOKEN_SECRET_FILE names
          config print [--config FILE] [--SETTING VALUE …]
                every setting with the value in force
          config check [--config FILE] [--SETTING VALUE …]
                say whether the settings are good
          version

        Settings are flags (--model-name), environment (CHALKLINE_MODEL_NAME) or lines of the file (model_name = …).
        A secret is no flag: name its file in the environment (CHALKLINE_MODEL_KEY_FILE).

        """
}

/// The command line is not understood.
package struct UsageError: Error {
    package let text: String

    package init(_ text: String) { self.text = text }
}
