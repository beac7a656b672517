// HeldMessagesTests: what waits for a session is bounded and keeps its order.

import Testing
import TutorProtocol

@testable import TutorServer

struct HeldMessagesTests {
    @Test func messagesAreKeptInOrderUpToTheirNumber() {
        var held = HeldMessages()
        for number in 0..<HeldMessages.countLimit {
            #expect(held.hold(.message(Self.ping(Double(number))), byteCount: 20))
        }
        #expect(!held.hold(.message(Self.ping(0)), byteCount: 20))
        let times = held.items.map { item in
            if case .message(let message) = item, case .ping(let ping) = message.body { ping.t } else { nil }
        }
        #expect(times == (0..<HeldMessages.countLimit).map { Double($0) })
    }

    @Test func messagesAreKeptUpToTheirBytes() {
        var held = HeldMessages()
        #expect(held.hold(.message(Self.ping(1)), byteCount: HeldMessages.byteLimit))
        #expect(!held.hold(.message(Self.ping(2)), byteCount: 1))
        #expect(held.items.count == 1)
    }

    private static func ping(_ t: Double) -> ClientMessage { ClientMessage(id: nil, body: .ping(Ping(t: t))) }
}
