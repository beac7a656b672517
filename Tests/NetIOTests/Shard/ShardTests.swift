// ShardTests: posts, timers and async work on the loop.

import NetIO
import Synchronization
import Testing

@Suite("Shard")
struct ShardTests {
    @Test func runsPostsInTheirOrder() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { done in
            for number in 0..<1_000 { shard.post { _ in seen.withLock { $0.append(number) } } }
            shard.post { _ in done.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<1_000))
    }

    @Test func timerFiresOnceAfterItsDelay() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let clock = ContinuousClock()
        let start = clock.now
        await withCheckedContinuation { done in
            shard.post { shard in _ = shard.schedule(after: .milliseconds(30)) { done.resume() } }
        }
        #expect(clock.now - start >= .milliseconds(30))
    }

    @Test func cancelledTimerDoesNotFire() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let fired = Mutex(false)
        await withCheckedContinuation { done in
            shard.post { shard in
                let timer = shard.schedule(after: .milliseconds(5)) { fired.withLock { $0 = true } }
                shard.cancel(timer)
                _ = shard.schedule(after: .milliseconds(40)) { done.resume() }
            }
        }
        #expect(fired.withLock { $0 } == false)
    }

    @Test func timerCancelledByAnotherOfTheSameBatchDoesNotFire() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let fired = Counter()
        await withCheckedContinuation { done in
            shard.post { shard in
                let other = Victim()
                _ = shard.schedule(after: .milliseconds(5)) {
                    if let timer = other.timer { shard.cancel(timer) }
                }
                other.timer = shard.schedule(after: .milliseconds(5)) { fired.value.withLock { $0 += 1 } }
                _ = shard.schedule(after: .milliseconds(40)) { done.resume() }
            }
        }
        #expect(fired.value.withLock { $0 } == 0)
    }

    @Test func asyncCodeRunsOnTheLoop() async throws {
        let shard = try Shard(index: 3)
        shard.start()
        defer { shard.stop() }
        // Isolated to the shard, so this hops onto its loop and back.
        func work(on shard: isolated Shard) -> UInt64 { shard.now }
        let first = await work(on: shard)
        try await Task.sleep(for: .milliseconds(5))
        let second = await work(on: shard)
        #expect(second > first)
    }

    /// Each post waits for its own answer, so that it meets the shard on its way to sleep: a ring that is cleared with
    /// its entry left behind would hang here.
    @Test func postThatMeetsTheShardGoingToSleepWakesIt() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<3_000 {
                        await withCheckedContinuation { done in shard.post { _ in done.resume() } }
                    }
                }
            }
        }
    }

    @Test func postsFromManyThreadsAllArrive() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let count = Counter()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2_000 { shard.post { _ in count.value.withLock { $0 += 1 } } }
                }
            }
        }
        await withCheckedContinuation { done in shard.post { _ in done.resume() } }
        #expect(count.value.withLock { $0 } == 16_000)
    }
}

private final class Victim {
    var timer: Shard.TimerID?
}

private final class Counter: Sendable {
    let value = Mutex(0)
}
