// JSONWriterTests: texts, numbers, boxes and times as bytes.
// Spec: RFC 8259; RFC 3339 §5.6

import Foundation
import Testing
import TutorProtocol

@Suite("JSON writer")
struct JSONWriterTests {
    private func written(_ body: (inout [UInt8]) -> Void) -> String {
        var buffer: [UInt8] = []
        body(&buffer)
        return String(decoding: buffer, as: UTF8.self)
    }

    @Test(arguments: [
        ("", #""""#), ("plain", #""plain""#), ("a\"b\\c", #""a\"b\\c""#), ("\n\r\t\u{8}\u{C}", #""\n\r\t\b\f""#),
        ("\u{0}\u{1}\u{F}\u{10}\u{1F}\u{7F}", "\"\\u0000\\u0001\\u000f\\u0010\\u001f\u{7F}\""),
        ("é漢😀/", #""é漢😀/""#), ("0123456789\"0123456789\"", #""0123456789\"0123456789\"""#),
        ("\u{2028}", "\"\u{2028}\""),
    ])
    func escapesWhatItMust(text: String, expected: String) {
        #expect(written { JSONWriter.append(text, to: &$0) } == expected)
    }

    @Test(arguments: 0..<20)
    func textsReadBackTheSame(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        let parts = ["a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "漢", "😀", " plain words ", "\u{7F}", "\u{FFFD}"]
        for _ in 0..<100 {
            var text = ""
            for _ in 0..<Int.random(in: 0...30, using: &random) { text += parts.randomElement(using: &random) ?? "" }
            var bytes: [UInt8] = []
            JSONWriter.append(text, to: &bytes)
            #expect(try JSONValue.parse(bytes).string.map { Array($0.utf8) } == Array(text.utf8))
            #expect(try JSONDecoder().decode(String.self, from: Data(bytes)) == text)
        }
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (10, "10"), (-1, "-1"), (1_234_567_890, "1234567890"),
            (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"), (1_000_000, "1000000"),
        ] as [(Int64, String)])
    func writesWholeNumbers(number: Int64, expected: String) {
        #expect(written { JSONWriter.append(number, to: &$0) } == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (1.5, "1.5"), (-2.25, "-2.25"), (1_700_000_000_000, "1700000000000"),
            (0.1, "0.1"), (9_007_199_254_740_991, "9007199254740991"), (1e300, "1e+300"),
            (.leastNonzeroMagnitude, "5e-324"),
            (.infinity, "null"), (.nan, "null"),
        ] as [(Double, String)])
    func writesNumbersInTheShortestForm(number: Double, expected: String) {
        #expect(written { JSONWriter.append(number, to: &$0) } == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (-0.0, "0"), (1, "1"), (0.61, "0.61"), (1 - 0.31 - 0.08, "0.61"), (-0.2, "-0.2"),
            (0.123_456_7, "0.123457"), (0.000_000_4, "0"), (-0.000_000_4, "0"), (0.000_001, "0.000001"),
            (0.999_999_9, "1"),
            (123.456, "123.456"), (-1_000.5, "-1000.5"), (1_170, "1170"), (1e12, "1000000000000"), (0.1 + 0.2, "0.3"),
            (0.02, "0.02"), (10.05, "10.05"),
        ] as [(Double, String)])
    func writesSixDecimals(number: Double, expected: String) {
        #expect(written { JSONWriter.append(sixDecimals: number, to: &$0) } == expected)
    }

    @Test(arguments: 0..<5)
    func sixDecimalsAreWithinHalfOfTheLast(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        for _ in 0..<500 {
            let number = Double.random(in: -2_000...2_000, using: &random)
            let text = written { JSONWriter.append(sixDecimals: number, to: &$0) }
            #expect(abs(try #require(Double(text)) - number) <= 0.000_000_501)
            #expect(text.split(separator: ".").dropFirst().allSatisfy { $0.count <= 6 && $0.last != "0" })
        }
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_709_210_096_123, "2024-02-29T12:34:56.123Z"),
            (-1, "1969-12-31T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (Int64.max, "9999-12-31T23:59:59.999Z"), (Int64.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func writesTimes(milliseconds: Int64, expected: String) {
        #expect(written { WireTime.append(milliseconds: milliseconds, to: &$0) } == expected)
    }

    @Test func timesAgreeWithFoundation() {
        var random = SeededRandom(state: 1)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<300 {
            let seconds = Int64.random(in: -10_000_000_000...100_000_000_000, using: &random)
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            let text = written { WireTime.append(milliseconds: seconds * 1_000, to: &$0) }
            #expect(text.replacing(".000Z", with: "Z") == expected)
        }
    }
}
