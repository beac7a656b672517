// Program: how a program of this package starts and ends.
// Source: signal(7), exit(3)

internal import Dispatch
internal import Glibc

/// How a program of this package starts and ends.
package enum Program {
    /// Runs `main` with the command line's arguments and exits with the status that it returns.
    ///
    /// Call it as the only line of `main.swift`: handlers formed in top-level code inherit the main actor, and Dispatch
    /// would run them elsewhere. A peer that has gone is an error of the write to it, not a signal.
    package static func run(_ main: @escaping @Sendable ([String]) async -> Int32) -> Never {
        signal(SIGPIPE, SIG_IGN)
        Task.detached {
            let status = await main(Array(CommandLine.arguments.dropFirst()))
            fflush(nil)
            exit(status)
        }
        dispatchMain()
    }
}
