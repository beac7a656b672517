// Reading: a parsed answer in one line, for tables of expectations.
// Spec: docs/architecture.md (what the model says)

import TutorCore
import TutorProtocol

/// A parsed answer in one line: text as it is, references and the rest between ‹ and ›.
struct Reading: Equatable, CustomStringConvertible {
    var description = ""
    /// What the student sees.
    var text = ""
    var points: [Int] = []
    var summaries: [String] = []
    var stepCount = 0
    var isTidy = true

    /// Reads an answer that comes in these chunks.
    init(_ chunks: [String]) {
        var parser = AnswerParser()
        for chunk in chunks { add(parser.receive(chunk)) }
        add(parser.finish())
        stepCount = parser.stepCount
    }

    private mutating func add(_ pieces: [AnswerPiece]) {
        for piece in pieces {
            switch piece {
            case .text(let more):
                description += more
                text += more
                if more.isEmpty { isTidy = false }
            case .point(let alias):
                description += "‹\(alias)›"
                points.append(alias)
            case .action(let alias, let verb, let argument):
                description += "‹\(alias) \(verb.rawValue)\(argument.map { "=" + $0 } ?? "")›"
            case .summary(let line):
                description += "‹sum=\(line)›"
                summaries.append(line)
                if line.isEmpty { isTidy = false }
            }
        }
    }

    /// What an answer reads as, over many ways to cut it; one element when the cuts change nothing.
    static func all(of answer: String, seed: UInt64) -> Set<String> {
        Set(cuts(of: answer, seed: seed).map { Reading($0) }.map { $0.isTidy ? $0.description : "untidy: \($0)" })
    }

    /// Every way to cut a text once, scalar by scalar, and some random ways.
    static func cuts(of text: String, seed: UInt64) -> [[String]] {
        let scalars = Array(text.unicodeScalars)
        func part(_ range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }
        var ways = (0...scalars.count).map { [part(0..<$0), part($0..<scalars.count)] }
        ways.append(scalars.indices.map { part($0..<$0 + 1) })
        var random = Dice(seed: seed)
        for _ in 0..<8 {
            var way: [String] = []
            var start = 0
            while start < scalars.count {
                let end = min(scalars.count, start + 1 + random.roll(6))
                way.append(part(start..<end))
                start = end
            }
            ways.append(way)
        }
        return ways
    }
}

/// A small generator of test input; the seed is the whole state.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func roll(_ sides: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state >> 33) % sides
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }
}
