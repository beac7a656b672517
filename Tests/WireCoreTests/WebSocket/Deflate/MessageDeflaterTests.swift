// MessageDeflaterTests: round trips, memory of earlier messages, edges of zlib's interface.

import Testing
import WireCore

@Suite("Compressing messages")
struct MessageDeflaterTests {
    @Test("What is compressed inflates to the same, at every window and level", arguments: 9...15)
    func roundTrips(windowBits: Int) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let memory = DeflateMemory()
        do {
            let deflater = try #require(
                MessageDeflater(windowBits: windowBits, memoryLevel: 1 + windowBits % 9, level: 6, memory: memory))
            let inflater = try #require(MessageInflater(windowBits: windowBits, memory: memory))
            for round in 0..<60 {
                if round % 7 == 6 { deflater.reset() }
                let message = Messages.random(using: &random)
                let compressed = try #require(deflater.compress(message))
                #expect(!compressed.isEmpty)
                #expect(try inflater.inflate(compressed) == .whole(message), "seed \(seed), round \(round)")
            }
            #expect(memory.heldByteCount > 0)
        }
        #expect(memory.heldByteCount == 0)
    }

    @Test("RFC 7692's own examples come out byte by byte")
    func examples() throws {
        let deflater = try #require(
            MessageDeflater(windowBits: 15, memoryLevel: 8, level: 6, memory: DeflateMemory()))
        let hello = [UInt8]("Hello".utf8)
        #expect(deflater.compress(hello) == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        // The second one refers to the first.
        #expect(deflater.compress(hello) == [0xF2, 0x00, 0x11, 0x00, 0x00])
        #expect(deflater.compress([]) == [0x00])
        #expect(deflater.compress([]) == [0x00])
        deflater.reset()
        #expect(deflater.compress(hello) == [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    }

    @Test("A message at the border of the encoder's pieces keeps all its bytes")
    func pieces() throws {
        var random = SeededGenerator(seed: 7)
        let memory = DeflateMemory()
        let deflater = try #require(MessageDeflater(windowBits: 13, memoryLevel: 3, level: 9, memory: memory))
        let inflater = try #require(MessageInflater(windowBits: 13, memory: memory))
        for count in Array(16_300...16_460) + [32_768, 65_536, 262_144] {
            let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try inflater.inflate(try #require(deflater.compress(message))) == .whole(message))
        }
    }

    @Test("What cannot shrink grows by less than a hundredth and 16 bytes")
    func growth() throws {
        var random = SeededGenerator(seed: 11)
        let deflater = try #require(
            MessageDeflater(windowBits: 13, memoryLevel: 3, level: 9, memory: DeflateMemory()))
        for count in [1, 32, 100, 1_000, 100_000] {
            let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(try #require(deflater.compress(message)).count <= count + count / 100 + 16)
        }
    }

    @Test("zlib's raw encoder has no window of 8, and says so")
    func smallestWindow() {
        #expect(MessageDeflater(windowBits: 8, memoryLevel: 5, level: 6, memory: DeflateMemory()) == nil)
    }

    @Test("An encoder of the default policy takes at most 45 KB")
    func memory() throws {
        let memory = DeflateMemory()
        let policy = DeflatePolicy()
        let deflater = try #require(
            MessageDeflater(
                windowBits: policy.serverWindowBits, memoryLevel: policy.memoryLevel, level: policy.level,
                memory: memory))
        for index in 0..<500 { _ = deflater.compress(Messages.token(index)) }
        #expect(memory.peakByteCount <= 45_000)
    }

    @Test("Token events shrink at least eight times with memory of earlier ones, and hardly without")
    func tokens() throws {
        let policy = DeflatePolicy()
        let deflater = try #require(
            MessageDeflater(
                windowBits: policy.serverWindowBits, memoryLevel: policy.memoryLevel, level: policy.level,
                memory: DeflateMemory()))
        var plain = 0
        var kept = 0
        var fresh = 0
        let events = (0..<400).map(Messages.token)
        for event in events {
            plain += event.count
            kept += try #require(deflater.compress(event)).count
        }
        for event in events {
            deflater.reset()
            fresh += try #require(deflater.compress(event)).count
        }
        #expect(plain / kept >= 8, "\(plain) to \(kept)")
        #expect(fresh * 13 > plain * 10, "\(plain) to \(fresh)")
    }
}
