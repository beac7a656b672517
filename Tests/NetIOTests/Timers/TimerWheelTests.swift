// TimerWheelTests: the wheel against a plain sorted list.

import NetIO
import Testing

@Suite("Timer wheel")
struct TimerWheelTests {
    @Test func firesAtItsTickAndNotBefore() {
        var wheel = TimerWheel<Int>(startMilliseconds: 1_000)
        _ = wheel.insert(deadlineMilliseconds: 1_010, payload: 7)
        #expect(wheel.nextMilliseconds == 1_010)
        #expect(wheel.fire(until: 1_009).isEmpty)
        #expect(wheel.fire(until: 1_010) == [7])
        #expect(wheel.nextMilliseconds == nil)
    }

    @Test func firesWhatIsInThePastAtTheNextAdvance() {
        var wheel = TimerWheel<Int>(startMilliseconds: 500)
        _ = wheel.insert(deadlineMilliseconds: 3, payload: 1)
        #expect(wheel.nextMilliseconds == 500)
        #expect(wheel.fire(until: 500) == [1])
    }

    @Test func cancelledTimerDoesNotFireAndAStaleIDIsIgnored() {
        var wheel = TimerWheel<Int>(startMilliseconds: 0)
        let first = wheel.insert(deadlineMilliseconds: 5, payload: 1)
        #expect(wheel.remove(first) == 1)
        #expect(wheel.remove(first) == nil)
        let second = wheel.insert(deadlineMilliseconds: 6, payload: 2)
        #expect(wheel.remove(first) == nil)
        #expect(wheel.fire(until: 10) == [2])
        #expect(wheel.remove(second) == nil)
        #expect(wheel.count == 0)
    }

    @Test func timerStoppedByOneDueBeforeItDoesNotFire() {
        var wheel = TimerWheel<Int>(startMilliseconds: 0)
        let first = wheel.insert(deadlineMilliseconds: 5, payload: 1)
        let second = wheel.insert(deadlineMilliseconds: 5, payload: 2)
        #expect(wheel.advance(to: 10) == [first, second])
        #expect(wheel.remove(second) == 2)
        #expect(wheel.remove(first) == 1)
        #expect(wheel.remove(second) == nil)
        #expect(wheel.count == 0)
    }

    /// Some pass over one or two coarser wheels on their way, some start later and on the finest.
    @Test(arguments: [0, 50, 4_090, 262_100] as [UInt64])
    func timersOfOneTickFireInTheOrderOfStarting(start: UInt64) {
        var wheel = TimerWheel<Int>(startMilliseconds: start)
        let deadline = start + 300_000
        var payload = 0
        for now in [start, start + 200_000, start + 299_900, start + 299_990, deadline - 1] {
            #expect(wheel.fire(until: now).isEmpty)
            for _ in 0..<3 {
                _ = wheel.insert(deadlineMilliseconds: deadline, payload: payload)
                payload += 1
            }
        }
        #expect(wheel.fire(until: deadline) == Array(0..<payload))
    }

    @Test(arguments: [0, (1 << 24) - 3, (1 << 30) - 1, 1 << 40] as [UInt64])
    func crossesTheEndOfTheLastWheel(start: UInt64) {
        var wheel = TimerWheel<UInt64>(startMilliseconds: start)
        let delays: [UInt64] = [1, 6, 63, 64, 65, 4_096, 262_144, 1 << 24, (1 << 24) + 5, 3 << 25]
        for delay in delays { _ = wheel.insert(deadlineMilliseconds: start + delay, payload: delay) }
        for delay in delays {
            #expect(wheel.fire(until: start + delay - 1).isEmpty, "delay \(delay)")
            #expect(wheel.fire(until: start + delay) == [delay])
        }
    }

    /// Random starts, stops and steps of every size, compared with a list that is searched whole each time.
    @Test(arguments: 0..<40)
    func agreesWithASortedList(seed: UInt64) {
        var random = LinearGenerator(state: seed &* 7_919 &+ 1)
        var now = random.next() >> (8 + seed % 40)
        var wheel = TimerWheel<Int>(startMilliseconds: now)
        var model: [(deadline: UInt64, payload: Int, id: TimerWheel<Int>.ID)] = []
        for payload in 0..<2_000 {
            switch random.next() % 4 {
            case 0, 1:
                let delay = random.next() >> (34 + random.next() % 30)
                let id = wheel.insert(deadlineMilliseconds: now + delay, payload: payload)
                model.append((now + delay, payload, id))
            case 2 where !model.isEmpty:
                let entry = model.remove(at: Int(random.next() % UInt64(model.count)))
                #expect(wheel.remove(entry.id) == entry.payload)
            default:
                if let due = wheel.nextMilliseconds, let next = model.map(\.deadline).min() {
                    #expect(due <= max(next, now), "the loop would sleep through a deadline")
                }
                now += random.next() >> (36 + random.next() % 28)
                let expected = model.filter { $0.deadline <= now }.map(\.payload)
                #expect(Set(wheel.fire(until: now)) == Set(expected), "seed \(seed)")
                model.removeAll { $0.deadline <= now }
            }
            #expect(wheel.count == model.count)
        }
    }
}

/// A small generator with a seed, so that a failure can be repeated.
private struct LinearGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}

extension TimerWheel {
    /// Moves to a time and takes all that is due.
    fileprivate mutating func fire(until milliseconds: UInt64) -> [Payload] {
        advance(to: milliseconds).compactMap { remove($0) }
    }
}
