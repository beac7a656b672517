// JSONBench: JSON in and out, against Foundation, on the same bytes.
// Spec: docs/performance.md (JSON)

internal import Foundation
internal import TutorProtocol
internal import TutorServer

/// JSON in and out, against Foundation, on the same bytes.
///
/// In: from bytes to a typed message, everything checked, and the message freed again. Out: one token event appended
/// to a buffer that is used again.
enum JSONBench: BenchMode {
    static let name = "json"
    static let help = """
        [--rounds N] [--only PART]
            JSON in and out against Foundation: medians of N rounds (default 9) of CPU time; --only measures
            what has PART in its name
        json --emit DIR
            writes the inputs as files, for other programs (Tests/bench/json_peer.py)
        """

    static func run(_ arguments: [String]) async throws -> Int32 {
        var rounds = 9
        var part = ""
        var rest = arguments[...]
        while let flag = rest.popFirst() {
            guard let value = rest.popFirst() else { throw UsageError("\(flag) needs a value") }
            switch flag {
            case "--rounds":
                guard let count = Int(value), count > 0 else { throw UsageError("--rounds needs a number above 0") }
                rounds = count
            case "--only": part = value
            case "--emit":
                try emit(to: value)
                return 0
            default: throw UsageError("unknown option \(flag)")
            }
        }
        let chosen = subjects().filter { part.isEmpty || $0.name.contains(part) }
        let results = try RoundTimer.measure(chosen, rounds: rounds)
        print("CPU time of one call, medians of \(rounds) alternating rounds")
        print("what".padded(44), "bytes", "us".leading(10), "MB/s".leading(9), "wall us".leading(10))
        for result in results {
            print(
                result.name.padded(44), String(result.byteCount).leading(6), fixed(result.cpu / 1_000, 3).leading(9),
                fixed(result.megabytesPerSecond, 0).leading(9), fixed(result.wall / 1_000, 3).leading(10))
        }
        if part.isEmpty { JSONMemory.report() }
        return 0
    }

    /// Writes each input to a file of its own.
    private static func emit(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, bytes) in inputs + [("event", encodedEvent())] {
            try Data(bytes).write(to: URL(filePath: folder).appending(path: name + ".json"))
        }
    }

    private static let inputs = [
        ("delta", JSONSamples.delta), ("chinese-delta", JSONSamples.chineseDelta), ("snapshot", JSONSamples.snapshot),
    ]

    private static func encodedEvent() -> [UInt8] {
        var bytes: [UInt8] = []
        EventEncoder().append(JSONSamples.event, to: &bytes)
        return bytes
    }

    // MARK: What is measured

    private static func subjects() -> [RoundTimer.Subject] {
        var subjects: [RoundTimer.Subject] = []
        let decoder = MessageDecoder()
        let coder = JSONDecoder()
        for (name, bytes) in inputs {
            let data = Data(bytes)
            // About 20 ms a round.
            let calls = max(4, 40_000_000 / bytes.count / 2)
            subjects.append(
                RoundTimer.Subject(name: "in: \(name), MessageDecoder", byteCount: bytes.count, calls: calls) {
                    try keep(decoder.decode(bytes.span))
                })
            subjects.append(
                RoundTimer.Subject(name: "in: \(name), JSONDecoder", byteCount: bytes.count, calls: calls / 20 + 1) {
                    try keep(coder.decode(CodableScreen.self, from: data))
                })
            subjects.append(
                RoundTimer.Subject(
                    name: "in: \(name), JSONSerialization", byteCount: bytes.count, calls: calls / 20 + 1
                ) {
                    try keep(JSONSerialization.jsonObject(with: data))
                })
        }
        return subjects + eventSubjects()
    }

    private static func eventSubjects() -> [RoundTimer.Subject] {
        let encoder = EventEncoder()
        let event = JSONSamples.event
        let coder = JSONEncoder()
        let codable = CodableAnswerDelta(seq: 1_234, turn: "t12", text: " so both \"sides\" lose the 3.\n")
        let object: [String: Any] = ["type": "answer.delta", "seq": 1_234, "turn": "t12", "text": codable.text]
        let byteCount = encodedEvent().count
        var buffer: [UInt8] = []
        buffer.reserveCapacity(256)
        return [
            RoundTimer.Subject(name: "out: token event, EventEncoder", byteCount: byteCount, calls: 200_000) {
                buffer.removeAll(keepingCapacity: true)
                encoder.append(event, to: &buffer)
            },
            RoundTimer.Subject(name: "out: token event, JSONEncoder", byteCount: byteCount, calls: 5_000) {
                try keep(coder.encode(codable))
            },
            RoundTimer.Subject(name: "out: token event, JSONSerialization", byteCount: byteCount, calls: 2_000) {
                try keep(JSONSerialization.data(withJSONObject: object))
            },
        ]
    }

    /// Keeps the optimiser from dropping work whose result nobody looks at.
    @inline(never)
    private static func keep<Value>(_ value: Value) {}

    private static func fixed(_ number: Double, _ digits: Int) -> String {
        number.formatted(.number.precision(.fractionLength(digits)).grouping(.never).locale(Locale(identifier: "en")))
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    fileprivate func leading(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
