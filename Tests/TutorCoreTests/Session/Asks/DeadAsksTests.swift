// DeadAsksTests: the asks that were cancelled before they came.
// Spec: docs/protocol.md §5 rule 4

import Testing
import TutorCore
import TutorProtocol

@Suite struct DeadAsksTests {
    private func id(_ number: Int) throws -> MessageID {
        try #require(MessageID("q\(number)"))
    }

    @Test func anIDIsDeadOnce() throws {
        var dead = DeadAsks(capacity: 64, memory: .seconds(600))
        dead.insert(try id(1), now: .zero)
        #expect(!dead.remove(try id(2), now: .zero))
        #expect(dead.remove(try id(1), now: .seconds(599)))
        #expect(!dead.remove(try id(1), now: .seconds(599)))
    }

    @Test func anIDIsForgottenAfterItsTime() throws {
        var dead = DeadAsks(capacity: 64, memory: .seconds(600))
        dead.insert(try id(1), now: .zero)
        #expect(!dead.remove(try id(1), now: .seconds(600)))
        #expect(dead.count == 0)
    }

    @Test func anotherCancelStartsTheTimeAnew() throws {
        var dead = DeadAsks(capacity: 64, memory: .seconds(600))
        dead.insert(try id(1), now: .zero)
        dead.insert(try id(1), now: .seconds(500))
        #expect(dead.count == 1)
        #expect(dead.remove(try id(1), now: .seconds(1_000)))
    }

    @Test func theOldestGivesWay() throws {
        var dead = DeadAsks(capacity: 64, memory: .seconds(600))
        for number in 0..<65 { dead.insert(try id(number), now: .zero) }
        #expect(dead.count == 64)
        #expect(!dead.remove(try id(0), now: .zero))
        #expect(dead.remove(try id(1), now: .zero))
        #expect(dead.remove(try id(64), now: .zero))
    }
}
