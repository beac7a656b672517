// UTF8ValidatorTests: what is UTF-8, at which byte it stops being so, and in every split.

import Testing
import WireCore

@Suite("RFC 3629 §4 UTF-8")
struct UTF8ValidatorTests {
    enum Verdict: Equatable {
        case complete
        case incomplete
        case wrong
    }

    private func verdict(_ pieces: [[UInt8]]) -> Verdict {
        var validator = UTF8Validator()
        for piece in pieces {
            guard validator.validate(piece) else { return .wrong }
        }
        return validator.isComplete ? .complete : .incomplete
    }

    /// Valid at the borders of every range and class.
    @Test(
        arguments: [
            [], [0x00], [0x7F], [0xC2, 0x80], [0xDF, 0xBF], [0xE0, 0xA0, 0x80], [0xE1, 0x80, 0x80], [0xEC, 0xBF, 0xBF],
            [0xED, 0x80, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBD], [0xEF, 0xBF, 0xBE],
            [0xEF, 0xBF, 0xBF], [0xEF, 0xBB, 0xBF], [0xF0, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0xBF, 0xBF],
            [0xF1, 0x80, 0x80, 0x80], [0xF3, 0xBF, 0xBF, 0xBF], [0xF4, 0x80, 0x80, 0x80], [0xF4, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x9F, 0xBF, 0xBE], [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5],
        ] as [[UInt8]])
    func acceptsValidText(bytes: [UInt8]) {
        #expect(sameInEverySplit(bytes) { verdict($0) } == .complete)
        let padded = [UInt8](repeating: 0x61, count: 37) + bytes + [UInt8](repeating: 0x62, count: 41)
        #expect(sameInEverySplit(padded) { verdict($0) } == .complete)
        #expect(sameInEverySplit([0xE4, 0xBD, 0xA0] + bytes + [0xE5, 0xA5, 0xBD]) { verdict($0) } == .complete)
    }

    /// Wrong at the last byte shown; the bytes before it could still become text.
    @Test(
        arguments: [
            // Lone continuation bytes and bytes that never occur.
            [0x80], [0xBF], [0xC0], [0xC1], [0xF5], [0xF8], [0xFC], [0xFE], [0xFF],
            // Overlong forms.
            [0xE0, 0x80], [0xE0, 0x9F], [0xF0, 0x80], [0xF0, 0x8F],
            // Surrogates.
            [0xED, 0xA0], [0xED, 0xAF], [0xED, 0xB0], [0xED, 0xBF],
            // Above U+10FFFF.
            [0xF4, 0x90], [0xF4, 0xBF],
            // A character that another interrupts, at every place.
            [0xC2, 0x41], [0xC2, 0xC2], [0xE4, 0x41], [0xE4, 0xBD, 0x41], [0xE4, 0xBD, 0xE4], [0xF0, 0x9F, 0x41],
            [0xF0, 0x9F, 0x98, 0x41], [0xF0, 0x9F, 0x98, 0xFF],
            // One continuation byte too many.
            [0xC3, 0xA9, 0x80], [0xE4, 0xBD, 0xA0, 0x80], [0xF0, 0x9F, 0x98, 0x80, 0x80],
        ] as [[UInt8]])
    func failsAtTheFirstWrongByte(bytes: [UInt8]) {
        #expect(sameInEverySplit(bytes) { verdict($0) } == .wrong)
        #expect(verdict([[UInt8](bytes.dropLast())]) != .wrong)
        for lead in [1, 5, 8, 31, 32, 33, 64] {
            let padded = [UInt8](repeating: 0x61, count: lead) + bytes + [UInt8](repeating: 0x62, count: 40)
            #expect(verdict([padded]) == .wrong, "after \(lead) bytes of ascii")
        }
        #expect(verdict([[UInt8]("你好你好".utf8) + bytes + [UInt8]("你好你好".utf8)]) == .wrong)
    }

    // The wide path looks at two characters of three bytes at once: a forbidden one may be either.
    @Test(arguments: [[0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF]] as [[UInt8]])
    func findsForbiddenCharactersAmongChineseOnes(bytes: [UInt8]) {
        for before in 0..<5 {
            for after in 0..<5 {
                let text = [UInt8](String(repeating: "好", count: before).utf8) + bytes
                #expect(verdict([text + [UInt8](String(repeating: "好", count: after).utf8)]) == .wrong)
            }
        }
    }

    @Test(
        arguments: [[0xC2], [0xE0], [0xE4, 0xBD], [0xED, 0x9F], [0xF0], [0xF0, 0x9F], [0xF4, 0x8F, 0xBF]] as [[UInt8]])
    func cutCharactersAreIncompleteNotWrong(bytes: [UInt8]) {
        #expect(sameInEverySplit([0x61] + bytes) { verdict($0) } == .incomplete)
    }

    /// Every first byte, and the borders of the ranges behind it, against the standard library.
    @Test func agreesWithTheStandardLibrary() {
        let borders: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0]
        var differing: [[UInt8]] = []
        for first in UInt8.min ... .max {
            for second in borders {
                for third in borders {
                    for bytes in [[first], [first, second], [first, second, third], [first, second, third, 0x80]] {
                        let isValid = String(validating: bytes, as: UTF8.self) != nil
                        if (verdict([bytes]) == .complete) != isValid { differing.append(bytes) }
                    }
                }
            }
        }
        #expect(differing == [])
    }

    @Test func agreesWithTheStandardLibraryOnDamagedText() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        let source = [UInt8]("2x + 3 = 7，检查符号 – Überprüfung 😀👩‍👩‍👧 한국어 ".utf8)
        for round in 0..<400 {
            var bytes: [UInt8] = []
            for _ in 0..<3 { bytes += source.dropFirst(Int.random(in: 0..<source.count, using: &generator)) }
            if round % 3 != 0 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: .min ... .max, using: &generator)
            }
            let isValid = String(validating: bytes, as: UTF8.self) != nil
            #expect((verdict([bytes]) == .complete) == isValid, "seed \(seed), round \(round)")
            let pieces = randomPieces(of: bytes, using: &generator)
            #expect((verdict(pieces) == .complete) == isValid, "seed \(seed), round \(round), split")
        }
    }
}
