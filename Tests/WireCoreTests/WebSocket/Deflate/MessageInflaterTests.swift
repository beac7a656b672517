// MessageInflaterTests: the cap, final blocks, truncated and corrupt streams.

import Testing
import WireCore

@Suite("Inflating messages")
struct MessageInflaterTests {
    private let inflater: MessageInflater
    private let deflater: MessageDeflater

    init() throws {
        let memory = DeflateMemory()
        inflater = try #require(MessageInflater(windowBits: 15, memory: memory))
        deflater = try #require(MessageDeflater(windowBits: 15, memoryLevel: 8, level: 9, memory: memory))
    }

    @Test("The forms of RFC 7692 §7.2.3 are all read")
    func forms() throws {
        let hello = ReadMessage.whole([UInt8]("Hello".utf8))
        // One block, no compression, final block with and without the byte behind it, two blocks, fixed codes twice.
        #expect(try inflater.inflate([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]) == hello)
        #expect(try inflater.inflate([0xF2, 0x00, 0x11, 0x00, 0x00]) == hello)
        #expect(
            try inflater.inflate([0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]) == hello)
        #expect(try inflater.inflate([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]) == hello)
        #expect(try inflater.inflate([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]) == hello)
        #expect(
            try inflater.inflate([0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00])
                == hello)
        #expect(try inflater.inflate([0x00]) == .whole([]))
        #expect(try inflater.inflate([]) == .whole([]))
    }

    @Test("A final block keeps the memory of what came before it")
    func finalBlockKeepsContext() throws {
        let hello = ReadMessage.whole([UInt8]("Hello".utf8))
        #expect(try inflater.inflate([0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]) == hello)
        // Refers five bytes back, into the message before.
        #expect(try inflater.inflate([0xF2, 0x00, 0x11, 0x00, 0x00]) == hello)
        inflater.reset()
        #expect(throws: WebSocketError.corruptCompression) {
            try inflater.inflate([0xF2, 0x00, 0x11, 0x00, 0x00])
        }
    }

    @Test("A stream cut anywhere is an error or the whole message, and never another")
    func truncation() throws {
        var random = SeededGenerator(seed: 3)
        let message = Messages.words(2_000, using: &random)
        let compressed = try #require(deflater.compress(message))
        for cut in 1..<compressed.count {
            inflater.reset()
            do {
                let outcome = try inflater.inflate([UInt8](compressed[..<cut]))
                #expect(outcome == .whole(message), "cut at \(cut)")
            } catch {
                #expect(error == .corruptCompression, "cut at \(cut)")
            }
        }
    }

    @Test("Changed bytes give an error or some message under the limit, and the next message is read after a reset")
    func corruption() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<400 {
            deflater.reset()
            var bytes = try #require(deflater.compress(Messages.words(400, using: &random)))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            inflater.reset()
            do {
                if case .whole(let message) = try inflater.inflate(bytes, keepLimit: 3_000, skipLimit: 5_000) {
                    #expect(message.count <= 3_000, "seed \(seed), round \(round)")
                }
            } catch {
                #expect(
                    error == .corruptCompression || error == .messageTooBig(limit: 3_000),
                    "seed \(seed), round \(round)")
            }
            inflater.reset()
            #expect(try inflater.inflate([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]) == .whole([UInt8]("Hello".utf8)))
        }
    }

    @Test("Random bytes never take the inflater past its limits")
    func noise() {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let bytes = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            inflater.reset()
            let buffer = InflateBuffer()
            _ = try? inflater.inflate(bytes, into: buffer, keepLimit: 20_000, skipLimit: 20_000)
            #expect(buffer.byteCount <= 20_001, "seed \(seed)")
        }
    }

    @Test("A bomb ends at the limit, in memory of the limit's size")
    func bomb() throws {
        let bomb = try #require(deflater.compress([UInt8](repeating: 0, count: 60_000_000)))
        #expect(bomb.count < 64_000)
        let buffer = InflateBuffer()
        #expect(throws: WebSocketError.messageTooBig(limit: 262_144)) {
            try inflater.inflate(bomb, into: buffer, keepLimit: 262_144, skipLimit: 262_144)
        }
        #expect(buffer.byteCount <= 262_145)
        inflater.reset()
        #expect(throws: WebSocketError.messageTooBig(limit: 262_144)) {
            try inflater.inflate(bomb, into: buffer, keepLimit: 262_144, skipLimit: 4_194_304)
        }
        #expect(buffer.byteCount <= 262_145)
    }

    @Test("A message at the limit is kept, one over it is read past, and what follows still refers to it")
    func limits() throws {
        var random = SeededGenerator(seed: 5)
        for keepLimit in [0, 1, 5_000, 16_383, 16_384, 16_385, 50_000] {
            inflater.reset()
            deflater.reset()
            for extra in [0, 1, 20_000] {
                let message = Messages.words(keepLimit + extra, using: &random)
                let outcome = try inflater.inflate(
                    try #require(deflater.compress(message)), keepLimit: keepLimit, skipLimit: keepLimit + 20_000)
                #expect(outcome == (extra == 0 ? .whole(message) : .oversized(keepLimit + extra)))
            }
            let last = Messages.words(min(keepLimit, 300), using: &random)
            #expect(
                try inflater.inflate(
                    try #require(deflater.compress(last)), keepLimit: keepLimit, skipLimit: keepLimit) == .whole(last))
        }
    }

    @Test("A large message's memory is freed before the next message")
    func trimmed() throws {
        let buffer = InflateBuffer()
        let large = try #require(deflater.compress([UInt8](repeating: 65, count: 200_000)))
        _ = try inflater.inflate(large, into: buffer, keepLimit: 262_144, skipLimit: 0)
        #expect(buffer.byteCount > 200_000)
        _ = try inflater.inflate(
            try #require(deflater.compress([1, 2, 3])), into: buffer, keepLimit: 262_144, skipLimit: 0)
        #expect(buffer.byteCount <= 65_536)
    }
}
