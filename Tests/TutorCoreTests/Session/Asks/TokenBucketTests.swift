// TokenBucketTests: lets a rate through, with a burst.
// Spec: docs/protocol.md §10 (`rate_limited`), §11

import Testing
import TutorCore

@Suite struct TokenBucketTests {
    @Test func letsTheBurstThroughAndThenTheRate() {
        var bucket = TokenBucket(count: 20, per: .seconds(1), burst: 40)
        for _ in 0..<40 { #expect(bucket.take(now: .seconds(9)) == nil) }
        #expect(bucket.take(now: .seconds(9)) == .milliseconds(50))
        #expect(bucket.take(now: .seconds(9) + .milliseconds(49)) == .milliseconds(1))
        #expect(bucket.take(now: .seconds(9) + .milliseconds(50)) == nil)
        #expect(bucket.take(now: .seconds(9) + .milliseconds(50)) == .milliseconds(50))
    }

    @Test func aRefusalCostsNothing() {
        var bucket = TokenBucket(count: 1, per: .seconds(1), burst: 1)
        #expect(bucket.take(now: .zero) == nil)
        for _ in 0..<100 { #expect(bucket.take(now: .milliseconds(500)) == .milliseconds(500)) }
        #expect(bucket.take(now: .seconds(1)) == nil)
    }

    @Test func doesNotSaveMoreThanTheBurst() {
        var bucket = TokenBucket(count: 10, per: .seconds(1), burst: 3)
        let taken = (0..<100).count { _ in bucket.take(now: .seconds(86_400)) == nil }
        #expect(taken == 3)
    }

    @Test func anyNumberIsTaken() {
        var bucket = TokenBucket(count: .max, per: .seconds(60), burst: .max)
        #expect(bucket.take(now: .zero) == nil)
        var slow = TokenBucket(count: 1, per: .seconds(86_400), burst: .max)
        #expect(slow.take(now: .seconds(1_000_000_000)) == nil)
    }

    @Test(arguments: [0, -1, Int.min]) func numbersBelowOneCountAsOne(number: Int) {
        var bucket = TokenBucket(count: number, per: .seconds(60), burst: number)
        #expect(bucket.take(now: .zero) == nil)
        #expect(bucket.take(now: .zero) == .seconds(60))
    }
}
