// WebSocketConnectionTests: pings, the closing handshake, deadlines and what is still sent after each.

import Testing
import WireCore

@Suite("RFC 6455 §5.5, §7 connection")
struct WebSocketConnectionTests {
    private let drain = TransportStep.finish(drain: .seconds(2))

    @Test func anIdleConnectionCostsLittle() {
        #expect(MemoryLayout<WebSocketConnection>.size < 200)
        var peer = Peer()
        _ = peer.receive(text("hello"))
        _ = peer.receive(frame(9, [1, 2, 3]))
        _ = peer.receive(frame(1, [UInt8](repeating: 0x61, count: 300), fin: false))
        _ = peer.receive(frame(0))
        #expect(peer.connection.heldByteCount == 0)
        #expect(peer.connection.deadline == nil)
    }

    @Test func echoesMessagesIntoTheCallersBuffer() {
        var peer = Peer()
        #expect(peer.receive(text("2x = 4")) == [.text("2x = 4")])
        #expect(peer.send("x = 2") == true)
        #expect(peer.takeOutput() == text("x = 2", mask: nil))
        let bytes: [UInt8] = [1, 2, 3]
        #expect(peer.send(binary: bytes) == true)
        #expect(peer.takeOutput() == [0x82, 3, 1, 2, 3])
    }

    // MARK: - Pings

    // A03: the pong goes out before the last fragment is there.
    @Test func answersAPingBetweenFragmentsAtOnce() {
        var peer = Peer()
        #expect(peer.receive(text("a", fin: false) + frame(0, [0x62], fin: false) + frame(9, [7])) == [])
        #expect(peer.takeOutput() == [0x8A, 1, 7])
        #expect(peer.receive(frame(0, [0x63])) == [.text("abc")])
    }

    @Test func answersEveryPingWithItsPayload() {
        var peer = Peer()
        let pings = (0..<10).map { [UInt8]("payload-\($0)".utf8) }
        _ = peer.receive(pings.flatMap { frame(9, $0) })
        #expect(read([peer.takeOutput()], role: .client) == pings.map { .pong($0) })
    }

    @Test func whileTheSocketIsFullOnlyTheNewestPingIsKept() {
        var peer = Peer()
        peer.connection.isOutputBlocked = true
        for number in 0..<20 { _ = peer.receive(frame(9, [UInt8(number)])) }
        #expect(peer.takeOutput() == [])
        peer.connection.isOutputBlocked = false
        peer.connection.flushPong(to: &peer.output)
        peer.connection.flushPong(to: &peer.output)
        #expect(peer.takeOutput() == [0x8A, 1, 19])
    }

    // F09: 100 000 pings end at the budget, whether the peer reads or not.
    @Test(arguments: [false, true])
    func aPingFloodEndsTheConnection(isOutputBlocked: Bool) {
        var peer = Peer()
        peer.connection.isOutputBlocked = isOutputBlocked
        let pings = (0..<100_000).flatMap { _ in [0x89, 0x80, 0, 0, 0, 0] as [UInt8] }
        #expect(peer.receive(pings) == [.closed(.policyViolation, .violation(.controlFlood))])
        #expect(peer.output.count <= 31 * 2 + 127)
        #expect(peer.transport == drain)
    }

    @Test func theControlBudgetComesBackWithTime() {
        var peer = Peer()
        for _ in 0..<30 { #expect(peer.receive(frame(10)) == [.pong([])]) }
        peer.now += .seconds(1)
        for _ in 0..<3 { #expect(peer.receive(frame(10)) == [.pong([])]) }
        #expect(peer.receive(frame(10)) == [.closed(.policyViolation, .violation(.controlFlood))])
        var patient = Peer()
        for _ in 0..<200 {
            #expect(patient.receive(frame(9)) == [])
            patient.now += .seconds(10) / 29
        }
    }

    @Test func sendsPingsAndReportsPongs() {
        var peer = Peer()
        #expect(peer.ping([1, 2]) == true)
        #expect(peer.takeOutput() == [0x89, 2, 1, 2])
        #expect(peer.receive(frame(10, [1, 2])) == [.pong([])])
        #expect(peer.ping([UInt8](repeating: 0, count: 200)) == true)
        #expect(peer.takeOutput().count == 127)
    }

    // MARK: - The peer closes

    // A11, Autobahn 7.7: every valid code is echoed, and TCP is finished by us.
    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1014, 3000, 3999, 4000, 4505, 4999])
    func answersACloseFrameWithItsCode(code: Int) {
        var peer = Peer()
        let reason = [UInt8](repeating: 0x2A, count: 123)
        #expect(peer.receive(close(code, reason)) == [.closed(CloseCode(rawValue: UInt16(code)), .peer)])
        #expect(peer.takeOutput() == close(code, mask: nil))
        #expect(peer.connection.closeReason == String(repeating: "*", count: 123))
        #expect(peer.transport == drain)
        #expect(!peer.connection.isOpen)
        #expect(peer.end() == [])
    }

    @Test func answersAnEmptyCloseFrameWithAnEmptyOne() {
        var peer = Peer()
        #expect(peer.receive(frame(8)) == [.closed(.noStatus, .peer)])
        #expect(peer.takeOutput() == [0x88, 0])
    }

    // F12, Autobahn 7.3.2, 7.9, 7.13.
    @Test(arguments: [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535])
    func refusesInvalidCloseCodes(code: Int) {
        var peer = Peer()
        let number = CloseCode(rawValue: UInt16(code))
        #expect(peer.receive(close(code)) == [.closed(.protocolError, .violation(.invalidCloseCode(number)))])
        #expect(peer.takeOutput() == close(1002, [UInt8]("invalid close code".utf8), mask: nil))
        #expect(peer.transport == drain)
    }

    @Test(arguments: [
        (frame(8, [3]), WebSocketError.closePayloadTooShort), (frame(8, [3, 0xE8, 0xFF]), .invalidUTF8),
        (frame(8, [3, 0xE8, 0xE4, 0xBD]), .invalidUTF8),
        (close(1000, [UInt8](repeating: 0x61, count: 124)), .controlTooBig),
    ])
    func refusesBrokenClosePayloads(bytes: [UInt8], error: WebSocketError) {
        let seen = sameInEverySplit(bytes) { pieces in
            var peer = Peer()
            return peer.receive(pieces: pieces)
        }
        #expect(seen == [.closed(error.closeCode, .violation(error))])
    }

    // Autobahn 7.1: what comes after a close frame is not looked at.
    @Test func ignoresEverythingAfterAClose() {
        let bytes = text("a") + close(1000) + text("b") + frame(9, [1]) + [0xFF, 0xFF, 0xFF]
        let seen = sameInEverySplit(bytes) { pieces in
            var peer = Peer()
            let seen = peer.receive(pieces: pieces)
            #expect(peer.takeOutput() == close(1000, mask: nil))
            return seen
        }
        #expect(seen == [.text("a"), .closed(.normal, .peer)])
    }

    // MARK: - We close

    // A10: deltas under way are dropped quietly, and the peer's answer ends it.
    @Test func waitsForTheAnswerToItsClose() {
        var peer = Peer()
        peer.close(CloseCode(rawValue: 4412), "drain")
        #expect(peer.takeOutput() == close(4412, [UInt8]("drain".utf8), mask: nil))
        #expect(peer.transport == .awaitPeerClose)
        #expect(peer.connection.deadline == peer.now + .seconds(5))
        #expect(peer.receive(text("{\"type\":\"screen.delta\"}") + frame(9, [1])) == [])
        #expect(peer.connection.deadline == peer.now + .seconds(5))
        #expect(peer.receive(close(4412)) == [.closed(CloseCode(rawValue: 4412), .local)])
        #expect(peer.takeOutput() == [])
        #expect(peer.transport == drain)
        #expect(peer.connection.deadline == nil)
    }

    @Test func doesNotWaitForeverForTheAnswer() {
        var peer = Peer()
        peer.close(.goingAway)
        #expect(peer.pass(.seconds(4)) == [])
        #expect(peer.pass(.seconds(1)) == [.closed(.goingAway, .local)])
        #expect(peer.transport == drain)
        #expect(peer.pass(.seconds(60)) == [])
    }

    @Test func sendsNothingAfterItsCloseFrame() {
        var peer = Peer()
        peer.close(.normal)
        let sent = peer.takeOutput()
        #expect(peer.send("late") == false)
        #expect(peer.ping([]) == false)
        let bytes: [UInt8] = [1]
        #expect(peer.send(binary: bytes) == false)
        peer.close(.goingAway)
        _ = peer.receive(frame(9, [1]))
        peer.connection.flushPong(to: &peer.output)
        #expect(sent == close(1000, mask: nil))
        #expect(peer.takeOutput() == [])
    }

    @Test func aBreachWhileClosingSendsNoSecondCloseFrame() {
        var peer = Peer()
        peer.close(.normal)
        _ = peer.takeOutput()
        #expect(peer.receive(frame(3)) == [.closed(.protocolError, .violation(.reservedOpcode(Opcode(rawValue: 3))))])
        #expect(peer.takeOutput() == [])
        #expect(peer.transport == drain)
    }

    // F12: both sides close at the same moment.
    @Test func crossingCloseFramesEndBothSides() {
        var server = Peer()
        var client = Peer(role: .client)
        server.close(CloseCode(rawValue: 4408))
        client.close(.goingAway)
        let fromServer = server.takeOutput()
        #expect(server.receive(client.takeOutput()) == [.closed(.goingAway, .local)])
        #expect(client.receive(fromServer) == [.closed(CloseCode(rawValue: 4408), .local)])
        #expect(server.output == [] && client.output == [])
    }

    @Test func cutsALongReasonOnTheBorderOfACharacter() {
        var peer = Peer()
        peer.close(.normal, String(repeating: "好", count: 60))
        #expect(peer.takeOutput() == close(1000, [UInt8](String(repeating: "好", count: 41).utf8), mask: nil))
        var other = Peer()
        other.close(.normal, "a" + String(repeating: "好", count: 60))
        #expect(other.takeOutput() == close(1000, [UInt8]("a\(String(repeating: "好", count: 40))".utf8), mask: nil))
    }

    @Test func neverSendsACodeThatMustNotBeSent() {
        var peer = Peer()
        peer.close(.abnormal)
        #expect(peer.takeOutput() == close(1000, mask: nil))
    }

    // MARK: - Breaches, deadlines, loss

    @Test func tellsThePeerWhatItBroke() {
        var peer = Peer()
        #expect(
            peer.receive(text("a") + frame(1, [0xFF])) == [.text("a"), .closed(.invalidData, .violation(.invalidUTF8))])
        #expect(peer.takeOutput() == close(1007, [UInt8]("invalid utf-8".utf8), mask: nil))
        #expect(peer.receive(text("b")) == [])
        #expect(peer.send("c") == false)
        #expect(peer.end() == [])
    }

    // A01: one header, one close frame, and the connection next to it does not notice.
    @Test func aHeaderWithAnImpossibleLengthClosesOnlyItsConnection() {
        var canary = Peer()
        var peer = Peer()
        let header: [UInt8] = [0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8) + [0, 0, 0, 0]
        #expect(peer.receive(header) == [.closed(.protocolError, .violation(.lengthOutOfRange))])
        #expect(peer.takeOutput().starts(with: [0x88]))
        #expect(canary.receive(text("still here")) == [.text("still here")])
    }

    @Test func aMessageThatNeverEndsRunsOutOfTime() {
        var peer = Peer()
        #expect(peer.receive(text("a", fin: false)) == [])
        #expect(peer.connection.deadline == peer.now + .seconds(30))
        #expect(peer.pass(.seconds(29)) == [])
        // Bytes that keep trickling in do not move the deadline.
        #expect(peer.receive(frame(0, [0x62], fin: false)) == [])
        #expect(peer.pass(.seconds(1)) == [.closed(.policyViolation, .violation(.messageTooSlow))])
        var busy = Peer()
        _ = busy.receive(text("a", fin: false))
        busy.now += .seconds(30)
        #expect(busy.receive(frame(0, [0x62], fin: false)) == [.closed(.policyViolation, .violation(.messageTooSlow))])
    }

    @Test func eachCutOffMessageHasItsOwnDeadline() {
        var peer = Peer()
        let bytes = text("message")
        for _ in 0..<10 {
            // Every read ends one message and begins the next: no message takes more than 10 s.
            _ = peer.receive([UInt8](bytes[..<5]))
            peer.now += .seconds(10)
            #expect(peer.receive([UInt8](bytes[5...] + bytes[..<5])) == [.text("message")])
            #expect(peer.connection.deadline == peer.now + .seconds(30))
            #expect(peer.receive([UInt8](bytes[5...])) == [.text("message")])
            #expect(peer.connection.deadline == nil)
        }
    }

    @Test func reportsALostConnectionOnce() {
        var peer = Peer()
        #expect(peer.end() == [.closed(.abnormal, .vanished)])
        #expect(peer.end() == [])
        #expect(peer.send("x") == false)
        var closing = Peer()
        closing.close(.normal)
        #expect(closing.end() == [.closed(.abnormal, .vanished)])
    }

    // A04: what follows the event at which the owner stops is handed on as it came.
    @Test func anOwnerMayStopAtAnEventAndHandOnTheRest() {
        var connection = WebSocketConnection()
        var output: [UInt8] = []
        let rest = text("{\"type\":\"ask\"}") + frame(9, [1])
        var memory = text("{\"type\":\"hello\"}") + rest
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            let event = connection.next(&input, now: .zero, limits: WebSocketLimits(), output: &output)
            guard case .message? = event else {
                Issue.record("no message")
                return
            }
            #expect([UInt8](input.unread) == rest)
        }
    }

    /// Two connections back to back: whatever one sends in any split, the other gets, and both end.
    @Test func twoConnectionsUnderstandEachOtherInAnySplit() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<60 {
            var client = Peer(role: .client, maskSeed: generator.next())
            var server = Peer()
            var sent: [Seen] = []
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let words = String(repeating: "你好 abc ", count: Int.random(in: 0...40, using: &generator))
                client.send(words)
                sent.append(.text(words))
            }
            client.close(.normal, "done")
            let got = server.receive(pieces: randomPieces(of: client.takeOutput(), using: &generator))
            #expect(got == sent + [.closed(.normal, .peer)], "seed \(seed), round \(round)")
            #expect(client.receive(server.takeOutput()) == [.closed(.normal, .local)])
        }
    }

    /// Whatever comes in, exactly one end is reported and at most one close frame goes out, as the last frame.
    @Test func anyInputEndsOnceAndNothingFollowsTheCloseFrame() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<400 {
            var peer = Peer()
            var ends = 0
            for _ in 0..<30 {
                var seen: [Seen] = []
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: seen = peer.receive(text("a", fin: Bool.random(using: &generator)))
                case 1: seen = peer.receive(frame(9, [1]))
                case 2: seen = peer.receive(frame(0, [0x62], fin: Bool.random(using: &generator)))
                case 3 where Int.random(in: 0..<6, using: &generator) == 0: peer.close(.goingAway)
                case 4 where Int.random(in: 0..<6, using: &generator) == 0: seen = peer.receive(close(1000))
                case 5: seen = peer.pass(.seconds(Int.random(in: 0...8, using: &generator)))
                case 6: peer.send("out")
                case 7: peer.connection.isOutputBlocked.toggle()
                default: peer.connection.flushPong(to: &peer.output)
                }
                ends += seen.count { if case .closed = $0 { true } else { false } }
            }
            ends += peer.end().count
            #expect(ends == 1, "seed \(seed), round \(round)")
            let frames = read([peer.takeOutput()], role: .client)
            let closes = frames.indices.filter { if case .close = frames[$0] { true } else { false } }
            #expect(closes.count <= 1 && closes.allSatisfy { $0 == frames.count - 1 }, "seed \(seed), round \(round)")
        }
    }
}
