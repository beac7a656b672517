// SessionConnectionTests: the welcome, a lost connection, the timers.
// Spec: docs/protocol.md §3

import Testing
import TutorCore
import TutorProtocol

@Suite("§3 connections") struct SessionConnectionTests {
    @Test func theWelcomeSaysWhereThingsStand() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        let re = try #require(MessageID("h1"))
        harness.run(harness.session.open(re: re, key: "key", why: .unknown, version: "1.0.0"))
        #expect(
            harness.messages.last
                == .welcome(
                    Welcome(
                        re: re, session: "s_1", key: "key", epoch: "e1", resumed: .new, why: .unknown, lastSeq: 1,
                        screenRevision: 1, limits: Limits(), version: "1.0.0")))
    }

    @Test func aSecondHelloIsABadMessage() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.hello(Hello(role: .teacher)), id: "h2")
        #expect(harness.errors.map(\.code) == [.badMessage])
        #expect(harness.errors.first?.re?.rawValue == "h2")
        #expect(harness.session.hello.role == .student)
    }

    @Test func whatTheServerDoesNotOfferIsSaid() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.unsupported("image.begin"), id: "i1")
        #expect(harness.errors.map(\.code) == [.unsupported])
        #expect(harness.errors.first?.re?.rawValue == "i1")
        #expect(harness.errors.first?.isFatal == false)
    }

    @Test func aPingIsAnswered() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.send(.ping(Ping(t: 1)), id: "p1")
        harness.send(.ping(Ping(t: nil)))
        #expect(harness.messages == [.pong(re: MessageID("p1"), t: 1), .pong(re: nil, t: nil)])
    }

    @Test func aClientThatSaysGoodbyeEndsItsTurnAtOnce() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("Half"))
        harness.disconnect(.closed)
        #expect(harness.cancelledCalls == [ModelCallID(1)])
        #expect(harness.ends.map(\.status) == [.cancelled])
        #expect(harness.timers.keys.map(\.rawValue) == ["retention"])
    }

    @Test func aLostConnectionLeavesTheTurnOnForTheGrace() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.disconnect(.lost)
        harness.wait(.milliseconds(19_999))
        harness.model(.text("Half"))
        #expect(harness.text == "Half")
        #expect(harness.ends.isEmpty)
        harness.wait(.milliseconds(1))
        #expect(harness.cancelledCalls == [ModelCallID(1)])
        #expect(harness.ends.map(\.status) == [.expired])
        #expect(harness.ends.first?.answer == "Half")
    }

    @Test func aTurnThatEndsWithinTheGraceIsKept() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.disconnect(.lost)
        harness.answer("Whole")
        harness.wait(.seconds(20))
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.session.log.events(after: 0)?.count == 3)
    }

    @Test func aSessionWithoutAClientIsOverAfterItsTime() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.disconnect(.lost)
        harness.wait(.seconds(899))
        #expect(!harness.isExpired)
        harness.wait(.seconds(1))
        #expect(harness.isExpired)
    }

    @Test func theTimeBeginsWhenTheGraceIsOver() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.disconnect(.lost)
        harness.wait(.seconds(919))
        #expect(!harness.isExpired)
        harness.wait(.seconds(1))
        #expect(harness.isExpired)
    }

    @Test func withoutRetentionASessionIsOverAtOnce() throws {
        var harness = try SessionHarness.onAlgebra { $0.retention = .zero }
        harness.disconnect(.lost)
        #expect(harness.isExpired)
        #expect(harness.timers.isEmpty)
    }

    @Test func withoutAConnectionMessagesDoNothing() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.disconnect(.closed)
        #expect(harness.ask(id: "q1").isEmpty)
        #expect(harness.disconnect(.lost).isEmpty)
    }

    @Test func aSessionIsTakenUpAgainWhereItStood() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("Half "))
        harness.disconnect(.lost)
        harness.wait(.seconds(10))
        harness.model(.text("and "))
        let now = harness.now
        let hello = Hello(
            role: .student, locale: "zh-CN", resume: Hello.Resume(session: "s_1", key: "key", epoch: "e1", seq: 2))
        harness.run(harness.session.resume(hello, re: nil, key: "key2", keyGeneration: 1, version: "1.0.0", now: now))
        #expect(harness.timers.isEmpty)
        #expect(harness.session.keyGeneration == 1)
        harness.wait(.seconds(60))
        harness.answer("whole")
        #expect(harness.ends.map(\.status) == [.done])
        #expect(harness.ends.first?.answer == "Half and whole")
        // Asking again after the reconnect runs nothing twice.
        harness.ask(id: "q1")
        #expect(harness.requests.count == 1)
        guard case .resent(let events) = harness.lines.last else {
            Issue.record("the events were not sent again")
            return
        }
        #expect(events.map(\.event.seq) == Array(1...5))
    }

    @Test func timersThatFireEarlyLateOrTwiceDoNoHarm() throws {
        var harness = try SessionHarness.onAlgebra()
        for timer in SessionTimer.allCases { #expect(harness.fire(timer).isEmpty) }
        harness.send(.ask(Ask(text: "why?", revision: 2)), id: "q1")
        harness.now += .milliseconds(1_500)
        #expect(harness.fire(.snapshotWait) == [.setTimer(.snapshotWait, after: .milliseconds(500))])
        harness.now += .milliseconds(500)
        harness.fire(.snapshotWait)
        #expect(harness.starts.count == 1)
        #expect(harness.fire(.snapshotWait).isEmpty)
    }

    @Test func aTurnThatTheServerCannotGoOnWithFails() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.model(.text("Half"))
        let now = harness.now
        harness.run(harness.session.fail(.restarted, now: now))
        #expect(harness.cancelledCalls == [ModelCallID(1)])
        #expect(harness.ends.map(\.status) == [.failed])
        #expect(harness.ends.first?.reason == "restarted")
        #expect(harness.session.fail(.code(.internal), now: now).isEmpty)
    }

    @Test func aClockThatGoesBackDoesNotTurnTimeBack() throws {
        var harness = try SessionHarness.onAlgebra()
        harness.ask(id: "q1")
        harness.now = .zero
        harness.answer("ok")
        #expect(harness.ends.first?.durationMilliseconds == 0)
    }
}
