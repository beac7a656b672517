// MessageCompressionTests: a connection's frames with compression, seen by a reader that inflates them.

import Testing
import WireCore

@Suite("Compression on a connection")
struct MessageCompressionTests {
    private let long = String(repeating: "where does the eight come from? ", count: 20)

    @Test("Messages come out as they went in, with RSV1 on those that were compressed")
    func conversation() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for offer in Viewer.offers {
            let viewer = try #require(Viewer(offer))
            for round in 0..<80 {
                if round % 30 == 29 { viewer.compression.releaseIdle(now: .seconds(10_000 * round)) }
                let message = Messages.random(using: &random)
                viewer.send(message, now: .seconds(10_000 * round))
                #expect(try viewer.read() == message, "\(offer), seed \(seed), round \(round)")
            }
        }
    }

    @Test("Short messages go uncompressed, and longer ones when no memory of earlier ones helps")
    func thresholds() throws {
        let viewer = try #require(Viewer())
        viewer.send([UInt8](repeating: 65, count: 31))
        #expect(!viewer.isCompressed)
        viewer.send([UInt8](repeating: 65, count: 32))
        #expect(viewer.isCompressed)
        let fresh = try #require(Viewer("server_no_context_takeover"))
        fresh.send([UInt8](repeating: 65, count: 255))
        #expect(!fresh.isCompressed)
        fresh.send([UInt8](repeating: 65, count: 256))
        #expect(fresh.isCompressed)
    }

    @Test("A message too short for the own encoder does not enter the window behind its back")
    func thresholdsInTheOtherOrder() throws {
        var policy = DeflatePolicy()
        policy.threshold = 120
        policy.freshThreshold = 40
        let viewer = try #require(Viewer(pool: DeflatePool(policy: policy)))
        for round in 0..<12 {
            let message = [UInt8](String(repeating: "round \(round % 3), ", count: round % 2 == 0 ? 20 : 6).utf8)
            viewer.send(message)
            #expect(try viewer.read() == message, "round \(round)")
        }
    }

    @Test("Without memory of earlier messages, what does not shrink goes uncompressed")
    func growing() throws {
        var random = SeededGenerator(seed: 9)
        let noise = (0..<1_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let fresh = try #require(Viewer("server_no_context_takeover"))
        fresh.send(noise)
        #expect(!fresh.isCompressed)
        #expect(try fresh.read() == noise)
        // With it, the client has to see what the encoder remembers.
        let viewer = try #require(Viewer())
        viewer.send(noise)
        #expect(viewer.isCompressed)
        #expect(try viewer.read() == noise)
        viewer.send(noise)
        #expect(viewer.output.count < 100)
        #expect(try viewer.read() == noise)
    }

    @Test("An encoder is made by the first message worth it and freed when idle")
    func memory() throws {
        let pool = DeflatePool(policy: DeflatePolicy())
        let viewer = try #require(Viewer(pool: pool))
        #expect(viewer.compression.idleDeadline == nil)
        viewer.send([1, 2, 3])
        #expect(pool.memory.heldByteCount == 0)
        viewer.send([UInt8](long.utf8), now: .seconds(100))
        #expect(pool.memory.heldByteCount > 30_000)
        #expect(viewer.compression.idleDeadline == .seconds(120))
        viewer.compression.releaseIdle(now: .seconds(119))
        #expect(pool.memory.heldByteCount > 30_000)
        viewer.compression.releaseIdle(now: .seconds(120))
        #expect(pool.memory.heldByteCount == 0)
        #expect(viewer.compression.idleDeadline == nil)
        // The client keeps its window; the new encoder refers to nothing in it.
        viewer.send([UInt8](long.utf8), now: .seconds(130))
        #expect(viewer.isCompressed)
        #expect(try viewer.read() == [UInt8](long.utf8))
    }

    @Test("Beyond the shard's budget messages are compressed without an encoder of their own")
    func budget() throws {
        var policy = DeflatePolicy()
        policy.memoryBytes = 100_000
        let pool = DeflatePool(policy: policy)
        let viewers = (0..<20).compactMap { _ in Viewer(pool: pool) }
        for _ in 0..<3 {
            for viewer in viewers {
                viewer.send([UInt8](long.utf8))
                #expect(viewer.isCompressed)
                #expect(try viewer.read() == [UInt8](long.utf8))
            }
        }
        // What may be held when the last encoder is made, that encoder, and the shared one.
        #expect(pool.memory.peakByteCount < 100_000 + 2 * 45_000)
    }

    @Test("One shared frame serves viewers with every agreement, and each goes on after it")
    func shared() throws {
        let pool = DeflatePool(policy: DeflatePolicy())
        let viewers = Viewer.offers.compactMap { Viewer($0, pool: pool) } + [try #require(Viewer(nil, pool: pool))]
        #expect(viewers.count == Viewer.offers.count + 1)
        var random = SeededGenerator(seed: 21)
        for round in 0..<12 {
            for viewer in viewers {
                let own = [UInt8]("\(long) \(round)".utf8)
                viewer.send(own)
                #expect(try viewer.read() == own)
            }
            let message = Messages.words(round % 3 == 2 ? 40 : 3_000, using: &random)
            let frame = pool.sharedFrame(message)
            #expect((frame.compressed == nil) == (message.count < 256))
            for viewer in viewers {
                viewer.send(frame)
                #expect(try viewer.read() == message)
            }
        }
    }

    @Test("A message over the limit is read past as often as it comes, one made to be long only a few times")
    func readingPast() throws {
        let compression = try #require(Viewer()).compression
        let deflater = try #require(
            MessageDeflater(windowBits: 15, memoryLevel: 8, level: 6, memory: DeflateMemory()))
        var random = SeededGenerator(seed: 12)
        let honest = Messages.words(400_000, using: &random)
        for _ in 0..<12 {
            deflater.reset()
            #expect(try compression.read(try #require(deflater.compress(honest))) == .oversized(honest.count))
        }
        deflater.reset()
        let zeros = try #require(deflater.compress([UInt8](repeating: 48, count: 400_000)))
        #expect(zeros.count * MessageCompression.readPastRatio < 400_000)
        for _ in 0..<10 { #expect(try compression.read(zeros) == .oversized(400_000)) }
        #expect(throws: WebSocketError.self) { try compression.read(zeros) }
    }

    @Test("A client's messages are inflated, and text is checked")
    func receiving() throws {
        let compression = try #require(Viewer()).compression
        let deflater = try #require(
            MessageDeflater(windowBits: 15, memoryLevel: 8, level: 6, memory: DeflateMemory()))
        for text in ["", "x", long, "Σ 数学 😀"] {
            deflater.reset()
            let bytes = try #require(deflater.compress([UInt8](text.utf8)))
            #expect(try compression.read(bytes) == .whole([UInt8](text.utf8)))
        }
        for wrong in [[0xFF], [0x41, 0xE2, 0x82], [0xED, 0xA0, 0x80]] as [[UInt8]] {
            deflater.reset()
            let bytes = try #require(deflater.compress(wrong))
            #expect(throws: WebSocketError.invalidUTF8) { try compression.read(bytes) }
            #expect(try compression.read(bytes, isText: false) == .whole(wrong))
        }
        // A message that refers to one before, though no context was agreed on.
        deflater.reset()
        _ = deflater.compress([UInt8](long.utf8))
        let second = try #require(deflater.compress([UInt8](long.utf8)))
        #expect(throws: WebSocketError.corruptCompression) { try compression.read(second) }
        // The shard's inflater serves the next client.
        deflater.reset()
        let bytes = try #require(deflater.compress([UInt8](long.utf8)))
        #expect(try compression.read(bytes) == .whole([UInt8](long.utf8)))
    }

    @Test("A client may keep its context where the policy allows it, each its own")
    func clientContext() throws {
        var policy = DeflatePolicy()
        policy.keepsClientContext = true
        policy.clientWindowBits = 10
        let pool = DeflatePool(policy: policy)
        var random = SeededGenerator(seed: 13)
        let clients = try (0..<3).map { _ in
            (
                try #require(Viewer("client_max_window_bits", pool: pool)).compression,
                try #require(MessageDeflater(windowBits: 10, memoryLevel: 3, level: 6, memory: DeflateMemory()))
            )
        }
        for _ in 0..<50 {
            for (compression, deflater) in clients {
                let message = Messages.random(using: &random)
                let bytes = try #require(deflater.compress(message))
                #expect(try compression.read(bytes, isText: false) == .whole(message))
            }
        }
    }

    @Test("A compressed message in fragments, with a ping between, inflates the same in every split")
    func fragments() throws {
        let deflater = try #require(
            MessageDeflater(windowBits: 15, memoryLevel: 8, level: 6, memory: DeflateMemory()))
        let compressed = try #require(deflater.compress([UInt8](long.utf8)))
        let third = compressed.count / 3
        let bytes =
            frame(1, [UInt8](compressed[..<third]), fin: false, rsv: 4) + frame(9, [7])
            + frame(0, [UInt8](compressed[third..<(2 * third)]), fin: false)
            + frame(0, [UInt8](compressed[(2 * third)...]))
        let seen = sameInEverySplit(bytes) { WireCoreTests.read($0, allowsCompression: true) }
        #expect(seen == [.ping([7]), .compressed(compressed, isText: true)])
        #expect(try #require(Viewer()).compression.read(compressed) == .whole([UInt8](long.utf8)))
        // RSV1 belongs on the first frame only, and on no control frame.
        for wrong in [frame(1, [1], fin: false, rsv: 4) + frame(0, [1], rsv: 4), frame(9, [1], rsv: 4)] {
            let seen = WireCoreTests.read([wrong], allowsCompression: true)
            #expect(seen.last == .error(.reservedBits))
        }
    }
}
