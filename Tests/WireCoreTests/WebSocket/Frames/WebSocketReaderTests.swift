// WebSocketReaderTests: frames in, messages and errors out, in every split.

import Testing
import WireCore

@Suite("RFC 6455 §5 frames")
struct WebSocketReaderTests {
    /// The examples of RFC 6455 §5.7.
    @Test func readsTheExamplesOfTheStandard() {
        let hello = [UInt8]("Hello".utf8)
        #expect(read([[0x81, 0x05] + hello], role: .client) == [.text("Hello")])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(sameInEverySplit(masked) { read($0) } == [.text("Hello")])
        let fragmented: [UInt8] = [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F]
        #expect(sameInEverySplit(fragmented) { read($0, role: .client) } == [.text("Hello")])
        #expect(read([[0x89, 0x05] + hello], role: .client) == [.ping(hello)])
        let pong: [UInt8] = [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(sameInEverySplit(pong) { read($0) } == [.pong(hello)])
        let binary = [UInt8](repeating: 0xA5, count: 256)
        #expect(sameInEverySplit([0x82, 0x7E, 0x01, 0x00] + binary) { read($0, role: .client) } == [.binary(binary)])
        let long = [UInt8](repeating: 0x5A, count: 65_536)
        #expect(read([[0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + long], role: .client) == [.binary(long)])
    }

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 127, 128, 1000, 65_535, 65_536, 70_001])
    func readsEveryLengthForm(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(read([frame(2, payload)]) == [.binary(payload)])
        let halves = [UInt8](frame(2, payload))
        let cut = halves.count / 2
        #expect(read([[UInt8](halves[..<cut]), [UInt8](halves[cut...])]) == [.binary(payload)])
    }

    @Test func readsManyMessagesInOneReadInOrder() {
        let bytes = (0..<40).flatMap { text("message \($0)") }
        #expect(sameInEverySplit(bytes) { read($0) } == (0..<40).map { .text("message \($0)") })
    }

    // A03, F08: control frames stand between fragments and come out at once.
    @Test func deliversControlFramesBetweenFragments() {
        let bytes =
            text("{\"type\":", fin: false) + frame(0, [UInt8]("\"screen".utf8), fin: false) + frame(9, [1, 2])
            + frame(10, [3]) + frame(0, [UInt8](".delta\"}".utf8))
        let seen: [Seen] = [.ping([1, 2]), .pong([3]), .text("{\"type\":\"screen.delta\"}")]
        #expect(sameInEverySplit(bytes) { read($0) } == seen)
    }

    @Test func acceptsEmptyFragmentsAndAnEmptyMessage() {
        let bytes = text("", fin: false) + frame(0, [], fin: false) + frame(0, [0x61]) + text("")
        #expect(sameInEverySplit(bytes) { read($0) } == [.text("a"), .text("")])
    }

    /// F05, F06, F07, F08 and A01: what each breach is, whatever the split.
    @Test(
        arguments: [
            // F06: reserved opcodes, reserved bits, no mask.
            (frame(3), WebSocketError.reservedOpcode(Opcode(rawValue: 3))),
            (frame(7), .reservedOpcode(Opcode(rawValue: 7))),
            (frame(11), .reservedOpcode(Opcode(rawValue: 11))),
            (frame(15), .reservedOpcode(Opcode(rawValue: 15))),
            (frame(1, rsv: 1), .reservedBits),
            (frame(1, rsv: 2), .reservedBits),
            (frame(2, rsv: 4), .reservedBits),
            (frame(9, rsv: 4), .reservedBits),
            (frame(1, [0x61], mask: nil), .wrongMasking),
            // F08: control frames.
            (frame(9, fin: false), .fragmentedControl),
            (frame(8, fin: false), .fragmentedControl),
            (frame(9, [UInt8](repeating: 0, count: 126)), .controlTooBig),
            (frame(8, [], lengthBytes: 8), .controlTooBig),
            // F07: order of fragments.
            (frame(0, [0x61]), .unexpectedContinuation),
            (frame(0, [0x61], fin: false), .unexpectedContinuation),
            (text("a", fin: false) + text("b"), .expectedContinuation),
            (text("a", fin: false) + frame(2, [1], fin: false), .expectedContinuation),
            // F05: lengths.
            (frame(1, [UInt8](repeating: 0x61, count: 125), lengthBytes: 2), .nonMinimalLength),
            (frame(1, [], lengthBytes: 2), .nonMinimalLength),
            (frame(1, [UInt8](repeating: 0x61, count: 300), lengthBytes: 8), .nonMinimalLength),
            ([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 1, 2, 3, 4, 5], .nonMinimalLength),
            ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0], .lengthOutOfRange),
            ([0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], .lengthOutOfRange),
            ([0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4], .messageTooBig(limit: 262_144)),
            ([0x82, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0], .messageTooBig(limit: 262_144)),
            ([0x82, 0xFF, 0, 0, 0, 0, 0, 4, 0, 1], .messageTooBig(limit: 262_144)),
            // F10 at the level of messages.
            (frame(1, [0x61, 0xFF]), .invalidUTF8),
            (frame(1, [0xE4, 0xBD]), .invalidUTF8),
            (frame(1, [0xE4, 0xBD], fin: false) + frame(0, [0x61]), .invalidUTF8),
        ] as [([UInt8], WebSocketError)])
    func refusesWhatTheStandardForbids(bytes: [UInt8], error: WebSocketError) {
        let seen = sameInEverySplit(text("before") + bytes + text("after"), rounds: 4) { read($0) }
        #expect(seen == [.text("before"), .error(error)])
    }

    @Test func aClientRefusesMaskedFrames() {
        #expect(read([text("a")], role: .client) == [.error(.wrongMasking)])
    }

    // A01, A02, F05: the verdict comes with the last byte of the length, before key and payload, and costs no memory.
    @Test(
        arguments: [
            [0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x82, 0xFF, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00],
            [0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
        ] as [[UInt8]])
    func judgesAnnouncedLengthsBeforeTakingMemory(header: [UInt8]) {
        var reader = WebSocketReader(role: .server)
        var memory = header
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            #expect(throws: WebSocketError.self) { _ = try reader.next(&input) }
        }
        #expect(reader.heldByteCount == 0)
    }

    @Test func anAnnouncedMessageTakesMemoryOnlyForWhatArrived() {
        var reader = WebSocketReader(role: .server)
        var memory = [UInt8](frame(2, [UInt8](repeating: 1, count: 200_000)).prefix(40))
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            guard case .none = try? reader.next(&input) else {
                Issue.record("an event before the end of the message")
                return
            }
        }
        #expect(reader.heldByteCount < 256)
        #expect(reader.isMidMessage)
    }

    // The limit counts all fragments of a message, and the next message starts from zero.
    @Test func theMessageLimitHoldsOverAllFragments() {
        var limits = WebSocketLimits()
        limits.messageBytes = 10
        let ten = frame(2, [1, 2, 3, 4, 5], fin: false) + frame(0, [6, 7, 8, 9, 10])
        let eleven = frame(2, [1, 2, 3, 4, 5], fin: false) + frame(0, [6, 7, 8, 9, 10, 11])
        let whole: [Seen] = [.binary([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])]
        #expect(sameInEverySplit(ten + ten) { read($0, limits: limits) } == whole + whole)
        #expect(
            sameInEverySplit(ten + eleven) { read($0, limits: limits) } == whole + [.error(.messageTooBig(limit: 10))])
        #expect(read([frame(9, [UInt8](repeating: 0, count: 125))], limits: limits).count == 1)
    }

    @Test func readsPastAMessageOverTheLimitAndGoesOn() {
        var limits = WebSocketLimits()
        limits.messageBytes = 4
        limits.skippedBytes = 10
        let bytes =
            text("12345") + text("ok") + text("123", fin: false) + frame(9, [7]) + frame(0, [1, 2, 3], fin: false)
            + frame(0, [4]) + frame(2, [1, 2, 3, 4, 5]) + text("1234")
        let seen: [Seen] = [
            .oversized(isText: true, 5), .text("ok"), .ping([7]), .oversized(isText: true, 7),
            .oversized(isText: false, 5), .text("1234"),
        ]
        #expect(sameInEverySplit(bytes) { read($0, limits: limits) } == seen)
    }

    @Test func keepsNothingOfWhatItReadsPastAndEndsBeyondTheSecondLimit() {
        var limits = WebSocketLimits()
        limits.skippedBytes = 1_000_000
        let long = [UInt8](repeating: 0x61, count: 1_000_000)
        var reader = WebSocketReader(role: .server, limits: limits)
        var bytes = [UInt8](frame(1, long, fin: false))
        bytes.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            #expect((try? reader.next(&input)) == nil)
        }
        #expect(reader.isMidMessage)
        #expect(reader.heldByteCount == 0)
        #expect(read([frame(1, long)], limits: limits) == [.oversized(isText: true, 1_000_000)])
        #expect(read([frame(1, long + [0x61])], limits: limits) == [.error(.messageTooBig(limit: 262_144))])
        let inParts = frame(1, long, fin: false) + frame(0, [0x61])
        #expect(read([inParts], limits: limits) == [.error(.messageTooBig(limit: 262_144))])
    }

    // A05, F07: tiny fragments end at the cap, and what they hold stays small.
    @Test(arguments: [[0x61], []] as [[UInt8]])
    func aFloodOfFragmentsEndsAtTheCap(payload: [UInt8]) {
        var bytes = frame(1, payload, fin: false)
        let continuation = frame(0, payload, fin: false)
        for _ in 0..<199_999 { bytes += continuation }
        var reader = WebSocketReader(role: .server)
        var error: WebSocketError?
        var used = 0
        bytes.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            do throws(WebSocketError) {
                while try reader.next(&input) != nil {}
            } catch let thrown {
                error = thrown
            }
            used = input.unread.count
        }
        #expect(error == .tooManyFragments(limit: 1024))
        #expect(used == 0)
        #expect(reader.heldByteCount == 0)
    }

    @Test func exactlyTheMostFragmentsMakeAMessage() {
        var limits = WebSocketLimits()
        limits.fragments = 4
        let four = text("a", fin: false) + frame(0, [0x62], fin: false) + frame(0, [], fin: false) + frame(0, [0x63])
        #expect(sameInEverySplit(four + four) { read($0, limits: limits) } == [.text("abc"), .text("abc")])
    }

    // F10: the first wrong byte of a frame that is still arriving is enough.
    @Test func failsInsideAnUnfinishedFragment() {
        let start = [UInt8](
            frame(1, [UInt8](repeating: 0x61, count: 50) + [0xED, 0xA0] + [UInt8](repeating: 0x61, count: 50)).prefix(
                58))
        #expect(read([start]) == [.error(.invalidUTF8)])
    }

    @Test func handsOutAViewForAWholeMessageAndHoldsNothing() {
        var reader = WebSocketReader(role: .server)
        var memory = text("hello") + text("again")
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            let base = UnsafeRawPointer(bytes.baseAddress)
            guard case .message(let message)? = try? reader.next(&input) else {
                Issue.record("no message")
                return
            }
            #expect(message.bytes.baseAddress == base.map { $0 + 6 })
            #expect(message.withSpan { span in span.count } == 5)
            #expect(input.unread.count == 11)
        }
        #expect(reader.heldByteCount == 0)
    }

    @Test func givesItsMemoryBackWithAnAssembledMessage() {
        var reader = WebSocketReader(role: .server)
        let bytes = frame(2, [UInt8](repeating: 9, count: 50_000))
        var taken: [UInt8] = []
        for piece in [bytes[..<30_000], bytes[30_000...]] {
            var memory = [UInt8](piece)
            memory.withUnsafeMutableBytes { bytes in
                var input = WebSocketInput(bytes)
                while let event = try? reader.next(&input) {
                    if case .assembled = event { taken = reader.takeAssembled() }
                }
            }
        }
        #expect(taken == [UInt8](repeating: 9, count: 50_000))
        #expect(reader.heldByteCount == 0)
        #expect(!reader.isMidMessage)
    }

    @Test func anAssembledMessageThatNobodyTakesIsDropped() {
        let bytes = text("lo", fin: false) + frame(0, [0x6C]) + text("a", fin: false) + frame(0, [0x62])
        var reader = WebSocketReader(role: .server)
        var memory = bytes
        var last: [UInt8] = []
        memory.withUnsafeMutableBytes { bytes in
            var input = WebSocketInput(bytes)
            _ = try? reader.next(&input)
            _ = try? reader.next(&input)
            last = reader.takeAssembled()
        }
        #expect(last == [0x61, 0x62])
    }

    @Test func marksCompressedMessagesOnlyWhenAllowed() {
        let bytes = frame(1, [0xFF, 0x00], rsv: 4) + frame(2, [1], fin: false, rsv: 4) + frame(0, [2])
        let seen: [Seen] = [.compressed([0xFF, 0x00], isText: true), .compressed([1, 2], isText: false)]
        #expect(sameInEverySplit(bytes) { read($0, allowsCompression: true) } == seen)
        let continued = frame(1, [1], fin: false, rsv: 4) + frame(0, [2], rsv: 4)
        #expect(read([continued], allowsCompression: true) == [.error(.reservedBits)])
    }

    // Any bytes give events or an error; never a trap, never more memory than twice the limit.
    @Test func survivesRandomBytesInAnySplit() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        var limits = WebSocketLimits()
        limits.messageBytes = 300
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...12, using: &generator) {
                let payload = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    UInt8.random(in: 0x20...0x7E, using: &generator)
                }
                let opcode: UInt8 = [0, 1, 2, 8, 9, 10].randomElement(using: &generator) ?? 1
                bytes += frame(opcode, payload, fin: Bool.random(using: &generator))
            }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^=
                    1 << UInt8.random(in: 0...7, using: &generator)
            }
            let whole = read([bytes], limits: limits)
            let pieces = randomPieces(of: bytes, using: &generator)
            #expect(read(pieces, limits: limits) == whole, "seed \(seed), round \(round)")
        }
    }
}
