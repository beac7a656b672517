// SQLiteFaults: makes calls of SQLite fail on purpose, for tests.
// Spec: none; the n-th failure sweep

internal import Synchronization

/// Makes calls of SQLite fail on purpose, for tests: from the n-th call on, as many as wanted.
package final class SQLiteFaults: Sendable {
    /// When the failure shows.
    package enum Moment: Sendable {
        /// The call is not made.
        case before
        /// The call is made and its success is not reported, as when the answer of a disk is lost.
        case after
    }

    private struct State {
        var calls = 0
        var first = Int.max
        var count = 0
        var code: Int32 = 0
        var moment = Moment.before
    }

    private let state = Mutex(State())

    /// Makes no call fail yet.
    package init() {}

    /// Calls so far.
    package var calls: Int { state.withLock(\.calls) }

    /// From the n-th call from now on (1 is the next), `count` calls fail with a code.
    package func arm(at place: Int, count: Int = 1, code: Int32, _ moment: Moment = .before) {
        state.withLock {
            $0.first = $0.calls + place
            $0.count = count
            $0.code = code
            $0.moment = moment
        }
    }

    /// No call fails any more.
    package func disarm() { state.withLock { $0.first = .max } }

    /// Counts a call; how it is to fail, if it is.
    func next() -> (code: Int32, moment: Moment)? {
        state.withLock {
            $0.calls += 1
            guard $0.calls >= $0.first, $0.calls - $0.first < $0.count else { return nil }
            return ($0.code, $0.moment)
        }
    }
}
