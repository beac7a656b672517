// FrameMaskTests: masking by words gives what masking by bytes gives.

import Testing
import WireCore

@Suite("RFC 6455 §5.3 masking")
struct FrameMaskTests {
    @Test func masksLikeAByteLoopAtEveryLengthOffsetAndPhase() {
        let key: UInt32 = 0x3D21_FA37
        let keyBytes: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        for offset in 0..<9 {
            for phase in 0..<5 {
                for count in 0..<45 {
                    var bytes = (0..<(offset + count)).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) }
                    var expected = bytes
                    var seen: UInt8 = 0
                    for index in 0..<count {
                        expected[offset + index] ^= keyBytes[(index + phase) % 4]
                        seen |= expected[offset + index]
                    }
                    let word = bytes.withUnsafeMutableBytes {
                        FrameMask.apply(key, phase: phase, to: UnsafeMutableRawBufferPointer(rebasing: $0[offset...]))
                    }
                    #expect(bytes == expected, "offset \(offset), phase \(phase), count \(count)")
                    #expect((word & 0x8080_8080_8080_8080 != 0) == (seen & 0x80 != 0))
                }
            }
        }
    }

    @Test func noticesANonASCIIByteAtEveryPlace() {
        for place in 0..<40 {
            var bytes = [UInt8](repeating: 0x61, count: 40)
            bytes[place] = 0xC3
            let word = bytes.withUnsafeMutableBytes { FrameMask.apply(0, to: $0) }
            #expect(word & 0x8080_8080_8080_8080 != 0, "place \(place)")
        }
    }
}
