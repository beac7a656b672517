// TokenExpiryTests: the warning and the end.
// Spec: docs/protocol.md §3 (bye)

import Testing

@testable import TutorServer

@Suite("Token expiry")
struct TokenExpiryTests {
    private let end: Int64 = 1_000_000

    @Test func warnsAMinuteBeforeAndEndsAfterTheLeeway() {
        var expiry = TokenExpiry(expiresAt: end, leeway: 30_000)
        #expect(expiry.step(now: end - 300_000) == .wait(60_000))
        #expect(expiry.step(now: end - 70_000) == .wait(10_000))
        #expect(expiry.step(now: end - 60_000) == .warn(90_000))
        #expect(expiry.step(now: end - 60_000) == .wait(60_000))
        #expect(expiry.step(now: end) == .wait(30_000))
        #expect(expiry.step(now: end + 29_999) == .wait(1))
        #expect(expiry.step(now: end + 30_000) == .end)
    }

    @Test func shortTokenIsWarnedOfAtOnce() {
        var expiry = TokenExpiry(expiresAt: end, leeway: 0)
        #expect(expiry.step(now: end - 3_000) == .warn(3_000))
        #expect(expiry.step(now: end - 3_000) == .wait(3_000))
        #expect(expiry.step(now: end) == .end)
    }

    @Test func clockThatJumpsIsFollowed() {
        var expiry = TokenExpiry(expiresAt: end, leeway: 0)
        #expect(expiry.step(now: 0) == .wait(60_000))
        #expect(expiry.step(now: end + 1) == .end)
        var back = TokenExpiry(expiresAt: end, leeway: 0)
        #expect(back.step(now: end - 10) == .warn(10))
        #expect(back.step(now: 0) == .wait(60_000))
    }
}
