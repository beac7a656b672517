// BenchCommand: the benchmark program's modes.
// Spec: docs/performance.md

internal import TutorServer

/// One thing that the benchmark program does.
protocol BenchMode {
    /// The first argument that chooses it.
    static var name: String { get }
    /// Its flags and what it prints, for `bench help`.
    static var help: String { get }

    /// Runs it to its end; returns the exit status.
    static func run(_ arguments: [String]) async throws -> Int32
}

/// The benchmark program: chooses a mode by its first argument.
enum BenchCommand {
    static var modes: [any BenchMode.Type] {
        [
            EchoMode.self, LoadMode.self, DeflateMode.self, JSONBench.self,
            UpstreamMode.self, RelayMode.self, TokenClientMode.self, AskClientMode.self,
        ]
    }

    /// Runs the program and exits: 0 for success, 1 for a failure, 2 for wrong usage.
    static func run() -> Never { Program.run { await run($0) } }

    private static func run(_ arguments: [String]) async -> Int32 {
        guard let mode = modes.first(where: { $0.name == arguments.first }) else {
            print("usage: bench MODE [OPTIONS]\n")
            for mode in modes { print("  \(mode.name) \(mode.help)\n") }
            return arguments.first == "help" ? 0 : 2
        }
        do {
            return try await mode.run(Array(arguments.dropFirst()))
        } catch let error as UsageError {
            print("bench \(mode.name): \(error.text)")
            return 2
        } catch {
            print("bench \(mode.name): \(error)")
            return 1
        }
    }
}
