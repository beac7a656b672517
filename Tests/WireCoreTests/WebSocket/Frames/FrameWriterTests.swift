// FrameWriterTests: what is written is what the standard draws, and reads back.

import Testing
import WireCore

@Suite("RFC 6455 §5.2 writing frames")
struct FrameWriterTests {
    @Test(arguments: [0, 1, 4, 125, 126, 127, 1000, 65_535, 65_536, 70_000])
    func writesTheShortestLengthForm(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 11) }
        let expected = frame(2, payload, mask: nil)
        var whole: [UInt8] = [0xAA]
        FrameWriter.append(.binary, payload: payload, to: &whole)
        #expect(whole == [0xAA] + expected)
        var open: [UInt8] = [0xAA]
        let mark = FrameWriter.begin(.binary, in: &open)
        open.append(contentsOf: payload)
        FrameWriter.end(mark, in: &open)
        #expect(open == [0xAA] + expected)
    }

    @Test(arguments: [0, 1, 125, 126, 65_535, 65_536])
    func masksWithTheGivenKey(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let expected = frame(2, payload, mask: [0x37, 0xFA, 0x21, 0x3D])
        var whole: [UInt8] = []
        FrameWriter.append(.binary, maskingKey: 0x3D21_FA37, payload: payload, to: &whole)
        #expect(whole == expected)
        var open: [UInt8] = []
        let mark = FrameWriter.begin(.binary, maskingKey: 0x3D21_FA37, in: &open)
        open.append(contentsOf: payload)
        FrameWriter.end(mark, in: &open)
        #expect(open == expected)
    }

    @Test func writesFragmentsAndTheCompressionBit() {
        var bytes: [UInt8] = []
        FrameWriter.append(.text, isFinal: false, payload: [0x61], to: &bytes)
        FrameWriter.append(.continuation, payload: [0x62], to: &bytes)
        #expect(bytes == [0x01, 0x01, 0x61, 0x80, 0x01, 0x62])
        bytes = []
        FrameWriter.end(FrameWriter.begin(.text, hasReservedBit1: true, in: &bytes), in: &bytes)
        #expect(bytes == [0xC1, 0x00])
    }

    @Test func severalFramesShareABuffer() {
        var bytes: [UInt8] = []
        for word in ["one", "two", "three"] {
            let mark = FrameWriter.begin(.text, in: &bytes)
            bytes.append(contentsOf: word.utf8)
            FrameWriter.end(mark, in: &bytes)
        }
        #expect(read([bytes], role: .client) == [.text("one"), .text("two"), .text("three")])
    }

    @Test func aShortenedBufferIsLeftAlone() {
        var bytes: [UInt8] = [1, 2]
        let mark = FrameWriter.begin(.text, in: &bytes)
        bytes = [1]
        FrameWriter.end(mark, in: &bytes)
        #expect(bytes == [1])
    }
}
