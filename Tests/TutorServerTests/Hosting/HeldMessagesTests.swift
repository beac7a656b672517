// HeldMessagesTests: what waits for a session is bounded and keeps its order.

import Testing
import TutorProtocol

@testable import TutorServer

struct HeldMessagesTests {
    @Test func messagesAreKeptInOrderUpToTheirNumber() {
        var held = HeldMessages()
        for number in 0..<HeldMessages.countLimit {
            let isHeld = held.hold(.message(Self.ping(Double(number))), byteCount: 20)
            #expect(isHeld)
        }
        let isHeld = held.hold(.message(Self.ping(0)), byteCount: 20)
        #expect(!isHeld)
        let times: [Double?] = held.items.map { item in
            guard case .message(let message) = item, case .ping(let ping) = message.body else { return nil }
            return ping.t
        }
        #expect(times == (0..<HeldMessages.countLimit).map { Double($0) })
    }

    @Test func messagesAreKeptUpToTheirBytes() {
        var held = HeldMessages()
        let isFirstHeld = held.hold(.message(Self.ping(1)), byteCount: HeldMessages.byteLimit)
        let isSecondHeld = held.hold(.message(Self.ping(2)), byteCount: 1)
        #expect(isFirstHeld && !isSecondHeld)
        #expect(held.items.count == 1)
    }

    private static func ping(_ t: Double) -> ClientMessage { ClientMessage(id: nil, body: .ping(Ping(t: t))) }
}
