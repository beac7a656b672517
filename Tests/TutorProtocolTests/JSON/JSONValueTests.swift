// JSONValueTests: the tree against Foundation's on random JSON, and its accessors.
// Spec: RFC 8259

import Foundation
import Testing
import TutorProtocol

/// A small seeded generator, so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

@Suite("JSON trees")
struct JSONValueTests {
    @Test(arguments: 0..<40)
    func agreesWithFoundation(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        for _ in 0..<50 {
            var text = ""
            Self.write(&text, depth: 0, &random)
            let bytes = Array(text.utf8)
            let ours = try JSONValue.parse(bytes)
            let theirs = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            #expect(Self.isSame(ours, theirs), "seed \(seed): \(text)")

            // Written and read again it is the same.
            var written: [UInt8] = []
            ours.append(to: &written)
            #expect(try JSONValue.parse(written) == ours, "seed \(seed): \(text)")
        }
    }

    @Test(arguments: 0..<20)
    func roundsNumbersAsTheStandardLibraryDoes(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        for _ in 0..<200 {
            var text = Bool.random(using: &random) ? "-" : ""
            text += String(Int.random(in: 1...9, using: &random))
            for _ in 0..<Int.random(in: 0...25, using: &random) {
                text += String(Int.random(in: 0...9, using: &random))
            }
            if Bool.random(using: &random) {
                text += "."
                for _ in 0..<Int.random(in: 1...25, using: &random) {
                    text += String(Int.random(in: 0...9, using: &random))
                }
            }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -340...280, using: &random))" }
            let expected = try #require(Double(text))
            guard expected.isFinite else { continue }
            #expect(try JSONValue.parse(Array(text.utf8)).double == expected, "seed \(seed): \(text)")
        }
        for _ in 0..<200 {
            let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
            guard number.isFinite else { continue }
            #expect(try JSONValue.parse(Array("\(number)".utf8)).double == number)
        }
    }

    @Test(arguments: [
        (#""ok \ud83d""#, "ok \u{FFFD}"), (#""\udc00""#, "\u{FFFD}"), (#""\ud83d\ude00""#, "😀"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud800\u0041""#, "\u{FFFD}A"), (#""\ud800A""#, "\u{FFFD}A"),
        (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\u0000""#, "\u{0}"), (#""\uD83D\uDE00""#, "😀"),
        (#""\/\"\\\b\f\n\r\t""#, "/\"\\\u{8}\u{C}\n\r\t"), (#""\uffff\u00e9""#, "\u{FFFF}é"),
    ])
    func resolvesEscapes(text: String, expected: String) throws {
        let value = try #require(try JSONValue.parse(Array(text.utf8)).string)
        #expect(Array(value.utf8) == Array(expected.utf8))
    }

    @Test func looksInside() throws {
        let value = try JSONValue.parse(Array(#"{"a":[1,2.5,"x",true,null],"big":9007199254740993}"#.utf8))
        #expect(value["a"]?[0]?.int == 1)
        #expect(value["a"]?[1]?.int == nil)
        #expect(value["a"]?[1]?.double == 2.5)
        #expect(value["a"]?[2]?.string == "x")
        #expect(value["a"]?[3]?.bool == true)
        #expect(value["a"]?[4]?.isNull == true)
        #expect(value["a"]?[5] == nil)
        #expect(value["a"]?.array?.count == 5)
        #expect(value["big"]?.int == nil)
        #expect(value["none"] == nil)
        #expect(value[0] == nil)
        #expect(value.object?.count == 2)
    }

    @Test func limitsBytesAndValues() {
        let bytes = Array("[1,2,3]".utf8)
        #expect(throws: JSONError(.tooManyBytes, at: 6)) { try JSONValue.parse(bytes, limits: JSONLimits(bytes: 6)) }
        #expect(throws: JSONError(.tooManyValues, at: 5)) { try JSONValue.parse(bytes, limits: JSONLimits(values: 3)) }
        #expect(throws: Never.self) { try JSONValue.parse(bytes, limits: JSONLimits(bytes: 7, values: 4)) }
    }

    // MARK: Random JSON

    private static func write(_ text: inout String, depth: Int, _ random: inout SeededRandom) {
        let space = [" ", "", "", "\n", "\t", "\r\n"].randomElement(using: &random) ?? ""
        text += space
        switch Int.random(in: 0...(depth < 5 ? 7 : 5), using: &random) {
        case 0: text += ["true", "false", "null"].randomElement(using: &random) ?? ""
        case 1: text += String(Int.random(in: -1_000_000...1_000_000, using: &random))
        case 2: text += String(Double.random(in: -1e6...1e6, using: &random))
        case 3: text += "\(Int.random(in: 0...999, using: &random))E\(Int.random(in: -30...30, using: &random))"
        case 4, 5: writeString(&text, &random)
        case 6:
            let count = Int.random(in: 0...5, using: &random)
            text += "["
            for index in 0..<count {
                if index > 0 { text += "," }
                write(&text, depth: depth + 1, &random)
            }
            text += "]"
        default:
            let count = Int.random(in: 0...5, using: &random)
            text += "{"
            for index in 0..<count {
                if index > 0 { text += "," }
                text += "\(space)\"key \(index)\"\(space):"
                write(&text, depth: depth + 1, &random)
            }
            text += "}"
        }
        text += space
    }

    private static func writeString(_ text: inout String, _ random: inout SeededRandom) {
        let parts = [
            "a", "Solve ", "é", "漢字", "😀", #"\n"#, #"\""#, #"\\"#, #"\u00e9"#, #"\ud83d\ude00"#, #"\/"#, "\u{7F}",
        ]
        text += "\""
        for _ in 0..<Int.random(in: 0...12, using: &random) { text += parts.randomElement(using: &random) ?? "" }
        text += "\""
    }

    private static func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: theirs is NSNull
        case .bool(let value): (theirs as? Bool) == value
        case .number(let value):
            // Foundation goes through decimals and can be off in the last place; exactness has its own test.
            if let other = (theirs as? NSNumber)?.doubleValue {
                abs(other - value) <= abs(value) * 1e-14
            } else {
                false
            }
        case .string(let text): (theirs as? String).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .array(let elements):
            if let others = theirs as? [Any], others.count == elements.count {
                zip(elements, others).allSatisfy { isSame($0, $1) }
            } else {
                false
            }
        case .object(let members):
            if let others = theirs as? [String: Any], others.count == members.count {
                members.allSatisfy { key, member in others[key].map { isSame(member, $0) } ?? false }
            } else {
                false
            }
        }
    }
}
