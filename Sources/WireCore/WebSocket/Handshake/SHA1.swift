// SHA1: the digest in the accept key of the opening handshake.
// Spec: FIPS 180-4 §6.1; RFC 6455 §4.2.2

/// SHA-1, for the accept key only.
///
/// It protects nothing: it shows that the server read the handshake.
package enum SHA1 {
    /// The 20 bytes of the digest.
    package static func digest(of message: [UInt8]) -> [UInt8] {
        var padded = message
        padded.append(0x80)
        while padded.count % 64 != 56 { padded.append(0) }
        appendBigEndian(UInt64(message.count) &* 8, to: &padded)

        var state: (UInt32, UInt32, UInt32, UInt32, UInt32) = (
            0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0
        )
        var schedule = [UInt32](repeating: 0, count: 80)
        for start in stride(from: 0, to: padded.count, by: 64) {
            fill(&schedule, from: padded, at: start)
            compress(&state, schedule)
        }
        var digest: [UInt8] = []
        for word in [state.0, state.1, state.2, state.3, state.4] { appendBigEndian(word, to: &digest) }
        return digest
    }

    private static func fill(_ schedule: inout [UInt32], from block: [UInt8], at start: Int) {
        for place in 0..<16 {
            var word: UInt32 = 0
            for byte in block[(start + place * 4)..<(start + place * 4 + 4)] { word = word << 8 | UInt32(byte) }
            schedule[place] = word
        }
        for place in 16..<80 {
            let mixed = schedule[place - 3] ^ schedule[place - 8] ^ schedule[place - 14] ^ schedule[place - 16]
            schedule[place] = rotate(mixed, by: 1)
        }
    }

    private static func compress(
        _ state: inout (UInt32, UInt32, UInt32, UInt32, UInt32), _ schedule: [UInt32]
    ) {
        var (a, b, c, d, e) = state
        for round in 0..<80 {
            let mix: UInt32
            let constant: UInt32
            switch round {
            case ..<20: (mix, constant) = ((b & c) | (~b & d), 0x5A82_7999)
            case ..<40: (mix, constant) = (b ^ c ^ d, 0x6ED9_EBA1)
            case ..<60: (mix, constant) = ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC)
            default: (mix, constant) = (b ^ c ^ d, 0xCA62_C1D6)
            }
            let next = rotate(a, by: 5) &+ mix &+ e &+ constant &+ schedule[round]
            (e, d, c, b, a) = (d, c, rotate(b, by: 30), a, next)
        }
        state = (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d, state.4 &+ e)
    }

    private static func rotate(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }

    private static func appendBigEndian<Word: FixedWidthInteger>(_ word: Word, to bytes: inout [UInt8]) {
        for shift in stride(from: Word.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: word >> Word(shift)))
        }
    }
}
