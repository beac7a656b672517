// JSONReaderTests: the grammar, the limits and the hostile inputs of the reader.
// Spec: RFC 8259

import Testing
import TutorProtocol

@Suite("RFC 8259 JSON reader")
struct JSONReaderTests {
    /// Reads one whole value and forgets it.
    static func check(_ bytes: [UInt8], limits: JSONLimits = JSONLimits()) -> JSONError? {
        do {
            try JSONReader.read(bytes.span, limits: limits) { (reader) throws(JSONError) in
                try reader.skip()
                try reader.finish()
            }
            return nil
        } catch {
            return error
        }
    }

    static func check(_ text: String, limits: JSONLimits = JSONLimits()) -> JSONError? {
        check(Array(text.utf8), limits: limits)
    }

    @Test(arguments: [
        "{}", "[]", "0", "-0", "1.5", "-12.5e+3", "1E-9", "true", "false", "null", #""""#, #""é漢😀""#,
        #""\"\\\/\b\f\n\r\té""#, #""\ud83d\ude00""#, #""\ud83d""#, #""\udc00\ud800x""#, " [ 1 , 2 ]\r\n\t ",
        #"{"a":{"b":[{"c":null}]},"d":""}"#, #"{"a":1,"A":2,"":3,"aa":4}"#, "1e-400", "0.0000000000000000000000001",
        "123456789012345678901234567890", "[[[[[[[[]]]]]]]]", "\"\u{7F}\"", "1.7976931348623157e308",
    ])
    func acceptsJSON(text: String) {
        #expect(Self.check(text) == nil)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd, 0), ("   ", .unexpectedEnd, 3), ("[1,]", .unexpectedByte, 3),
        ("[,1]", .unexpectedByte, 1), ("[1 2]", .unexpectedByte, 3), ("[1", .unexpectedEnd, 2),
        (#"{"a":1,}"#, .unexpectedByte, 7), (#"{"a"}"#, .unexpectedByte, 4), (#"{"a":}"#, .unexpectedByte, 5),
        (#"{a:1}"#, .unexpectedByte, 1), (#"{"a":1 "b":2}"#, .unexpectedByte, 7), (#"{,"a":1}"#, .unexpectedByte, 1),
        (#"{"a":1]"#, .unexpectedByte, 6), ("[1}", .unexpectedByte, 2), ("{} {}", .trailingBytes, 3),
        ("[] x", .trailingBytes, 3), ("01", .trailingBytes, 1), ("-", .unexpectedEnd, 1), ("-a", .invalidNumber, 1),
        ("1.", .unexpectedEnd, 2), ("1.e1", .invalidNumber, 2), (".5", .unexpectedByte, 0), ("+1", .unexpectedByte, 0),
        ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("1ex", .invalidNumber, 2), ("0x1", .trailingBytes, 1),
        ("NaN", .unexpectedByte, 0), ("Infinity", .unexpectedByte, 0), ("nul", .unexpectedEnd, 3),
        ("nulx", .unexpectedByte, 3), ("True", .unexpectedByte, 0), ("'a'", .unexpectedByte, 0),
        ("\u{FEFF}{}", .unexpectedByte, 0), ("/* */1", .unexpectedByte, 0), (#""a"#, .unexpectedEnd, 2),
        (#""\"#, .unexpectedEnd, 2), (#""\x""#, .invalidEscape, 1), (#""\u12"#, .unexpectedEnd, 5),
        (#""\u12g4""#, .invalidEscape, 1), ("\"a\nb\"", .controlCharacter, 2), ("\"\u{0}\"", .controlCharacter, 1),
        ("\"0123456789\u{1F}\"", .controlCharacter, 11), ("[1e400]", .numberNotFinite, 1),
        ("-1e309", .numberNotFinite, 0), ("1.7976931348623159e308", .numberNotFinite, 0),
        ("\u{A0}1", .unexpectedByte, 0),
        ("1\u{0C}", .trailingBytes, 1),
    ])
    func refusesWhatIsNotJSON(text: String, reason: JSONError.Reason, offset: Int) {
        #expect(Self.check(text) == JSONError(reason, at: offset))
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
            [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF0, 0x90, 0x8D], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xFE],
        ] as [[UInt8]])
    func refusesInvalidUTF8InStrings(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        for padding in 0..<9 {
            let before = [UInt8](repeating: UInt8(ascii: "a"), count: padding)
            let error = Self.check([quote] + before + bytes + [quote])
            #expect(error == JSONError(.invalidUTF8, at: 1 + padding), "after \(padding) bytes")
        }
    }

    @Test func refusesInvalidUTF8OutsideStrings() {
        #expect(Self.check([0xC3, 0xA9]) == JSONError(.unexpectedByte, at: 0))
    }

    @Test func findsTheEndOfAStringAtEveryAlignment() throws {
        for length in 0..<40 {
            for special in ["\\n", "é", "漢", "\\u0041", "x"] {
                for place in 0...length {
                    let text =
                        String(repeating: "a", count: place) + special + String(repeating: "b", count: length - place)
                    let value = try JSONValue.parse(Array("[\"\(text)\",1]".utf8))
                    let plain = text.replacing("\\n", with: "\n").replacing("\\u0041", with: "A")
                    #expect(value == .array([.string(plain), .number(1)]))
                }
            }
        }
    }

    @Test(arguments: [
        (#"{"a":1,"a":2}"#, 7), (#"{"a":{"b":1,"b":1}}"#, 12), (#"{"a":1,"\u0061":2}"#, 7),
        (#"{"content_revision":1,"content_revision":2}"#, 22),
        (#"{"a_key_of_more_than_16_bytes":1,"b":[],"a_key_of_more_than_16_bytes":2}"#, 40),
        (#"{"":1,"":2}"#, 6), (#"{"\ud800":1,"\udfff":2}"#, 12),
    ])
    func refusesRepeatedKeys(text: String, offset: Int) {
        #expect(Self.check(text) == JSONError(.duplicateKey, at: offset))
    }

    @Test(arguments: [2, 31, 32, 33, 34, 64, 200, 1_000])
    func refusesARepeatedKeyHoweverManyThereAre(count: Int) {
        for repeated in [0, count / 2, count - 1] {
            for prefix in ["k", "a_long_prefix_of_a_key_"] {
                var keys = (0..<count).map { "\"\(prefix)\($0)\":0" }
                #expect(Self.check("{\(keys.joined(separator: ","))}") == nil)
                keys.append("\"\(prefix)\(repeated)\":1")
                let text = "{\(keys.joined(separator: ","))}"
                #expect(Self.check(text)?.reason == .duplicateKey)
            }
        }
    }

    @Test func keysThatOnlyLookEqualAreDifferent() {
        // Composed and decomposed é are one String to Swift and two keys to JSON; so is a key with a zero byte.
        #expect(Self.check("{\"\u{E9}\":1,\"e\u{301}\":2}") == nil)
        #expect(Self.check(#"{"a":1,"a\u0000":2,"a\u0000\u0000":3}"#) == nil)
    }

    @Test func forgetsTheKeysOfAnObjectThatHasEnded() {
        #expect(Self.check(#"[{"a":1},{"a":2},{"b":{"a":{"a":1}},"a":[{"a":3}]}]"#) == nil)
    }

    @Test func limitsTheKeysOfAnObject() {
        let text = "{" + (0..<65).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
        #expect(Self.check(text, limits: JSONLimits(keys: 65)) == nil)
        #expect(Self.check(text, limits: JSONLimits(keys: 64))?.reason == .tooManyKeys)
        #expect(Self.check(text, limits: JSONLimits(keys: 10))?.reason == .tooManyKeys)
    }

    @Test func limitsTheDepth() {
        for depth in [1, 16, 128] {
            let limits = JSONLimits(depth: depth)
            let good = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(Self.check(good, limits: limits) == nil)
            #expect(Self.check("[\(good)]", limits: limits) == JSONError(.tooDeep, at: depth))
        }
        #expect(JSONLimits(depth: 100_000).depth == JSONLimits.maximumDepth)
    }

    @Test(.timeLimit(.minutes(5)))
    func survivesHostileSizes() {
        let limits = JSONLimits(bytes: .max, depth: 16, keys: 64)
        #expect(Self.check(String(repeating: "[", count: 100_000), limits: limits)?.reason == .tooDeep)
        #expect(Self.check(String(repeating: #"{"a":"#, count: 100_000), limits: limits)?.reason == .tooDeep)
        #expect(Self.check("\"" + String(repeating: "a", count: 1 << 20) + "\"", limits: limits) == nil)
        let keys = (0..<1_000_000).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(Self.check("{\(keys)}", limits: limits)?.reason == .tooManyKeys)
        #expect(Self.check("[" + String(repeating: "1,", count: 500_000) + "1]", limits: limits) == nil)
    }

    @Test(.timeLimit(.minutes(5)))
    func longDigitsTakeLinearTime() throws {
        func double(_ text: String) throws -> Double? {
            try JSONValue.parse(Array(text.utf8), limits: JSONLimits(bytes: .max)).double
        }
        let digits = String(repeating: "7", count: 1 << 20)
        #expect(Self.check(digits)?.reason == .numberNotFinite)
        #expect(try double("0.\(digits)") == 7.0 / 9.0)
        #expect(try double("\(digits)e-\(1 << 20)") == 7.0 / 9.0)
        let zeros = String(repeating: "0", count: 1 << 19)
        #expect(try double("0.\(zeros)1e\(zeros.count + 1)") == 1)
        #expect(try double("1\(zeros)e-\(zeros.count)") == 1)
        #expect(try double("1e-\(digits)") == 0)
        #expect(Self.check("1e" + String(repeating: "9", count: 1 << 19))?.reason == .numberNotFinite)
    }

    @Test func roundsByTheLastOfManyDigits() throws {
        // Halfway between 1 and the next Double lies 1 + 2^-53; one more digit far behind decides.
        let half = "1.00000000000000011102230246251565404236316680908203125"
        let zeros = String(repeating: "0", count: 900)
        #expect(try JSONValue.parse(Array(half.utf8)).double == 1)
        #expect(try JSONValue.parse(Array("\(half)\(zeros)".utf8)).double == 1)
        #expect(try JSONValue.parse(Array("\(half)\(zeros)1".utf8)).double == 1.0.nextUp)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-0.0e5", 0), ("8", 8), ("8.0", 8), ("80e-1", 8), ("8e2", 800), ("-17", -17),
            ("9007199254740991", 9_007_199_254_740_991), ("9007199254740991.000", 9_007_199_254_740_991),
            ("-9007199254740991", -9_007_199_254_740_991), ("0e999999999999", 0),
        ] as [(String, Int64)])
    func readsWholeNumbersExactly(text: String, value: Int64) throws {
        let read = try JSONReader.read(Array(text.utf8).span, limits: JSONLimits()) { (reader) throws(JSONError) in
            try reader.integer()
        }
        #expect(read == value)
    }

    @Test(arguments: [
        "9007199254740992", "9007199254740993", "9007199254740991.4", "18446744073709551616", "1e30", "0.5", "1e-1",
        "1.00000000000000000000000001", "99999999999999999999999", "\"8\"", "null", "true", "[8]",
    ])
    func refusesWhatIsNoWholeNumber(text: String) {
        #expect(throws: JSONError(.expectedInteger, at: 0)) {
            try JSONReader.read(Array(text.utf8).span, limits: JSONLimits()) { (reader) throws(JSONError) in
                try reader.integer()
            }
        }
    }

    @Test func saysWhichKindWasWanted() {
        func reason(_ text: String, _ body: (inout JSONReader) throws(JSONError) -> Void) -> JSONError.Reason? {
            do {
                try JSONReader.read(Array(text.utf8).span, limits: JSONLimits(), body)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(reason("1") { (reader) throws(JSONError) in _ = try reader.text() } == .expectedString)
        #expect(reason("\"1\"") { (reader) throws(JSONError) in _ = try reader.number() } == .expectedNumber)
        #expect(reason("0") { (reader) throws(JSONError) in _ = try reader.boolean() } == .expectedBoolean)
        #expect(reason("[]") { (reader) throws(JSONError) in try reader.openObject() } == .expectedObject)
        #expect(reason("{}") { (reader) throws(JSONError) in try reader.openArray() } == .expectedArray)
        #expect(reason("?") { (reader) throws(JSONError) in _ = try reader.text() } == .unexpectedByte)
    }

    @Test func everyReasonHasItsOwnWords() {
        let texts = JSONError.Reason.allCases.map(\.text)
        #expect(Set(texts).count == texts.count)
        #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasSuffix(".") })
    }
}
