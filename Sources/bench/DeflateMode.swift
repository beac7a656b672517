// DeflateMode: what compression saves and costs, by window, memory level and level.
// Spec: docs/compression.md

internal import CLinux
internal import Glibc
internal import TutorCore
internal import TutorProtocol
internal import WireCore

/// `bench deflate`: a table of ratio, memory and time a message, on token events and on screen deltas.
enum DeflateMode: BenchMode {
    static let name = "deflate"
    static let help = "prints ratio, encoder memory and time a message, with and without memory of earlier messages"

    static func run(_ arguments: [String]) async throws -> Int32 {
        let corpora = [
            ("short token", (0..<4_000).map { token($0, turn: TurnID(1), firstSeq: 1) }),
            ("86 B token", (0..<4_000).map { token($0, turn: Self.longTurn, firstSeq: 10_400_000_000) }),
            ("delta", (0..<300).map(delta)),
        ]
        print("| messages | bytes | window | memLevel | level | context | ratio | encoder KB | us | us to inflate |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
        for (name, messages) in corpora {
            for settings in settings { report(name, messages, settings) }
        }
        return 0
    }

    /// A name as long as other servers give to turns.
    private static let longTurn = TurnID(1_234_567_890_123_456_789)

    private struct Settings {
        var windowBits: Int
        var memoryLevel: Int
        var level: Int
        var keepsContext: Bool
    }

    private static let settings =
        [
            (15, 8, 6), (15, 8, 1), (13, 6, 6), (13, 3, 9), (12, 5, 1), (12, 5, 6), (12, 5, 9), (11, 4, 6), (10, 3, 6),
            (9, 1, 6),
        ]
        .map { Settings(windowBits: $0.0, memoryLevel: $0.1, level: $0.2, keepsContext: true) }
        + [6, 1].map { Settings(windowBits: 12, memoryLevel: 5, level: $0, keepsContext: false) }

    private static func report(_ name: String, _ messages: [[UInt8]], _ settings: Settings) {
        let memory = DeflateMemory()
        guard
            let deflater = MessageDeflater(
                windowBits: settings.windowBits, memoryLevel: settings.memoryLevel, level: settings.level,
                memory: memory),
            let inflater = MessageInflater(windowBits: settings.windowBits, memory: DeflateMemory())
        else { return print("zlib refuses window \(settings.windowBits)") }
        var compressed: [[UInt8]] = []
        compressed.reserveCapacity(messages.count)
        var output: [UInt8] = []
        output.reserveCapacity(65_536)
        let begun = RoundTimer.now(CLOCK_THREAD_CPUTIME_ID)
        for message in messages {
            output.removeAll(keepingCapacity: true)
            if !settings.keepsContext { deflater.reset() }
            guard message.withUnsafeBytes({ deflater.append($0, to: &output) }) else { return print("zlib failed") }
            compressed.append(output)
        }
        let packed = RoundTimer.now(CLOCK_THREAD_CPUTIME_ID)
        let buffer = InflateBuffer()
        for message in compressed {
            if !settings.keepsContext { inflater.reset() }
            let outcome = try? message.withUnsafeBytes {
                try inflater.inflate($0, into: buffer, keepLimit: 262_144, skipLimit: 0)
            }
            guard outcome != nil else { return print("zlib cannot read what it wrote") }
        }
        let unpacked = RoundTimer.now(CLOCK_THREAD_CPUTIME_ID)
        let plain = messages.reduce(0) { $0 + $1.count }
        let wire = compressed.reduce(0) { $0 + $1.count }
        let count = messages.count
        let cells = [
            name, "\(plain / count)", "\(settings.windowBits)", "\(settings.memoryLevel)", "\(settings.level)",
            settings.keepsContext ? "kept" : "none", tenths(plain * 10 / wire),
            tenths(memory.peakByteCount / 100), tenths((packed - begun) / count / 100),
            tenths((unpacked - packed) / count / 100),
        ]
        print("| " + cells.joined(separator: " | ") + " |")
    }

    private static func tenths(_ value: Int) -> String { "\(value / 10).\(value % 10)" }

    // MARK: Corpora

    /// A token event, as the server itself writes it: one word of the answer.
    private static func token(_ index: Int, turn: TurnID, firstSeq: Int64) -> [UInt8] {
        let word = words[Int(mixed(index) % UInt64(words.count))]
        var event: [UInt8] = []
        EventEncoder().append(
            LoggedEvent(
                seq: firstSeq + Int64(index), event: .answerDelta(AnswerDelta(turn: turn, text: " " + word))),
            to: &event)
        return event
    }

    /// A screen delta of 3.75 KB: 20 elements with boxes and lines of working.
    private static func delta(_ index: Int) -> [UInt8] {
        var text = #"{"type":"screen.delta","base":\#(index),"revision":\#(index + 1),"updated":["#
        for element in 0..<20 {
            let seed = mixed(index * 20 + element)
            let (a, b, c) = (seed % 97, seed / 97 % 89, seed / 8_633 % 83)
            if element > 0 { text += "," }
            text += #"{"id":"step-\#(index % 7)-\#(element)","type":"math","content":"\#(a)x + \#(b) = \#(c) so x = "#
            text += #"(\#(c) - \#(b)) / \#(a)","box":[0.\#(1_000 + a),0.\#(2_000 + b * 7),0.\#(3_000 + c),0.0512],"#
            text += #""z":\#(element),"states":{"focused":false,"editable":true,"\#(words[Int(a)])":\#(b % 2 == 0)}}"#
        }
        return [UInt8]((text + "]}").utf8)
    }

    /// SplitMix64's output function: the same corpus in every run.
    private static func mixed(_ index: Int) -> UInt64 {
        var value = UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Words of an explanation, frequent ones several times as in real text.
    private static let words: [String] = {
        let frequent = "the a of to is and in that it you we by on both this side then so".split(separator: " ")
        let rare = """
            equation bracket multiply divide subtract add number left right first next line step unknown value check
            result term every expand collect move sign minus plus zero because look again carefully try write below
            above before after what happens when please which where mistake distribute factor common simplify twelve
            eight twenty three four five half double remember therefore answer
            """.split(whereSeparator: { $0 == " " || $0 == "\n" })
        return (frequent + frequent + frequent + rare).map { String($0) }
    }()
}
