// MessageDecoderHostileTests: any bytes give a message within its limits or a typed error, never a trap.
// Spec: docs/protocol.md §10, §11

import Testing
import TutorProtocol

@Suite("Hostile client messages")
struct MessageDecoderHostileTests {
    static let samples = [
        #"{"type":"hello","id":"h1","role":"student","client":{"name":"demo","version":"1.0"},"locale":"zh-CN","coordinates":{"origin":"top-left","unit":"normalized"},"resume":{"session":"s_1","key":"k","epoch":"e","seq":41}}"#,
        #"{"type":"screen.snapshot","revision":7,"size":[1170,2532],"elements":[{"id":"e1","type":"math","content":"2x \u002b 漢 = 7","box":[0.08,0.31,0.36,0.08]},{"id":"e2","type":"input","content":"","placeholder":"Answer","box":[0.12,0.42,0.28,0.06],"state":["focused"],"line":1,"parent":"e1"}],"focus":{"element":"e2"},"id":"c1"}"#,
        #"{"type":"screen.delta","base":7,"revision":8,"remove":["e9"],"add":[{"id":"n","type":"text","content":"x","box":[0,0,1,1]}],"update":[{"id":"e2","content":"5","value":null}],"move":[{"by":[0,-0.2],"ids":"all"}],"focus":{"point":[0.2,0.45]},"id":"c2"}"#,
        #"{"type":"ask","id":"q1","text":"Why is \"this\" wrong?","revision":8,"focus":{"box":[0,0,1e-3,1E2]},"language":"en","hint_level":2,"when_busy":"reject"}"#,
        #"{"id":"c5","turn":"t1","type":"cancel","extra":[true,false,null,-0.0,{"deep":[[[1]]]}]}"#,
    ]

    /// Small bounds, so that random changes reach them.
    static var limits: Limits {
        var limits = Limits()
        limits.clientMessageBytes = 2_000
        limits.elements = 4
        limits.contentBytes = 30
        limits.urlBytes = 30
        limits.questionBytes = 40
        limits.deltaOperations = 5
        limits.jsonDepth = 6
        limits.objectKeys = 12
        return limits
    }

    @Test(arguments: samples.indices)
    func refusesEveryTruncation(sample: Int) throws {
        let bytes = Array(Self.samples[sample].utf8)
        #expect(throws: Never.self) { try decode(bytes).get() }
        for count in 0..<bytes.count {
            guard case .failure(let error) = decode(Array(bytes[..<count])) else {
                Issue.record("accepted \(count) bytes")
                return
            }
            #expect(error.code == .badFrame)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: 0..<12)
    func anyBytesGiveAMessageWithinItsLimitsOrAnError(seed: UInt64) throws {
        var random = SeededRandom(state: seed)
        let decoder = MessageDecoder(limits: Self.limits)
        var accepted = 0
        for _ in 0..<700 {
            let bytes = Self.mutated(&random)
            do throws(MessageError) {
                let message = try decoder.decode(bytes)
                accepted += 1
                #expect(Self.isWithinLimits(message), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            } catch {
                let codes: [ErrorCode] = [.badFrame, .badMessage, .unknownType, .tooLarge]
                #expect(codes.contains(error.code))
                #expect((error.path == nil) == (error.code == .badFrame || error.code == .tooLarge))
            }
        }
        // Otherwise the test would say nothing about accepted messages.
        #expect(accepted > 20)
    }

    @Test(.timeLimit(.minutes(5)))
    func refusesHugeInputsInLinearTime() {
        var limits = Limits()
        limits.clientMessageBytes = 32 << 20
        let prefix = #"{"type":"ping","id":"c9","x":"#
        let nested = prefix + String(repeating: "[", count: 100_000)
        expect(nested, .badFrame, limits)
        let keys = (0..<1_000_000).map { "\"\($0)\":0" }.joined(separator: ",")
        expect(prefix + "{\(keys)}}", .badFrame, limits)
        expect("{\(keys)}", .badFrame, limits)
        let long = String(repeating: "a", count: 1 << 20)
        expect(#"{"type":"ask","text":"\#(long)","id":"c9"}"#, .badMessage, limits)
        expect(#"{"type":"ping","id":"c9","\#(long)":1,"\#(long)":2}"#, .badFrame, limits)
        expect(#"{"type":"\#(long)","id":"c9"}"#, .unknownType, limits)
        expect(
            #"{"type":"ask","text":"x","id":"c9","hint_level":\#(String(repeating: "1", count: 1 << 20))}"#,
            .badMessage, limits)
        let element = #"{"id":"e","type":"text","content":"","box":[0,0,1,1]}"#
        let many = Array(repeating: element, count: 50_000).joined(separator: ",")
        expect(#"{"type":"screen.snapshot","revision":1,"elements":[\#(many)]}"#, .badMessage, limits)
        let escaped = String(repeating: #"\u0061"#, count: 100_000)
        expect(#"{"type":"ping","id":"\#(escaped)"}"#, .badMessage, limits)
    }

    @Test(.timeLimit(.minutes(5)))
    func findsADuplicateAmongManyIDs() throws {
        var limits = Limits()
        limits.clientMessageBytes = 32 << 20
        limits.elements = 30_000
        var list = (0..<30_000).map { #"{"id":"item:\#($0)","type":"text","content":"","box":[0,0,1,1]}"# }
        let good = #"{"type":"screen.snapshot","revision":1,"elements":[\#(list.joined(separator: ","))]}"#
        #expect(throws: Never.self) { try decode(good, limits: limits).get() }
        list[29_999] = list[123]
        let bad = #"{"type":"screen.snapshot","revision":1,"elements":[\#(list.joined(separator: ","))]}"#
        guard case .failure(let error) = decode(bad, limits: limits) else { throw UnexpectedBody() }
        #expect(error.path == "elements[29999].id")
    }

    private func expect(
        _ text: String, _ code: ErrorCode, _ limits: Limits, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .failure(let error) = decode(text, limits: limits) else {
            Issue.record("accepted", sourceLocation: sourceLocation)
            return
        }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect((error.path ?? "").utf8.count < 100, sourceLocation: sourceLocation)
    }

    // MARK: Random changes

    private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array((samples.randomElement(using: &random) ?? "").utf8)
        let fragments = [
            #""id":"x","#, "null", "1e400", "-0", "\"", "\\", "{", "}", "[", "]", ",", ":", #"\ud800"#,
            "9007199254740992",
            "[0,0,1,1]", #""e1""#, "\u{0}", "漢", #""type":"ask","#, "true", "-1", "1.5", "999999999999999999999999",
        ]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: Array((fragments.randomElement(using: &random) ?? "").utf8), at: place)
            case 3:
                // A piece of the message again, somewhere else.
                let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &random))
            default:
                // A digit or letter for another one: mostly still good JSON.
                let plain = bytes.indices.filter { bytes[$0] | 0x20 >= 0x61 && bytes[$0] | 0x20 <= 0x7A }
                if let index = plain.randomElement(using: &random) {
                    bytes[index] = UInt8.random(in: 0x61...0x7A, using: &random)
                }
            }
            if bytes.isEmpty { return [] }
        }
        return bytes
    }

    private static func isWithinLimits(_ message: ClientMessage) -> Bool {
        if let id = message.id, id.rawValue.utf8.count > limits.messageIDBytes { return false }
        switch message.body {
        case .ask(let ask):
            return message.id != nil && ask.text.utf8.count <= limits.questionBytes && (0...4).contains(ask.hintLevel)
                && isGood(ask.revision ?? 0) && (ask.of != nil || !ask.text.isEmpty)
        case .hello(let hello):
            return [hello.clientName, hello.clientVersion, hello.name, hello.room, hello.locale]
                .allSatisfy { ($0 ?? "").utf8.count <= MessageDecoder.shortTextBytes } && isGood(hello.resume?.seq ?? 0)
        case .highlightMissed(let missed): return missed.why.utf8.count <= MessageDecoder.reportBytes
        case .screenDelta(let delta):
            let operations = delta.add.count + delta.move.count + delta.remove.count + delta.update.count
            return operations <= limits.deltaOperations && isGood(delta.base) && isGood(delta.revision)
                && delta.revision > delta.base && delta.add.allSatisfy(isGood)
                && Set(delta.add.map(\.id)).count == delta.add.count
        case .screenSnapshot(let snapshot):
            return snapshot.elements.count <= limits.elements && isGood(snapshot.revision)
                && snapshot.elements.allSatisfy(isGood)
                && Set(snapshot.elements.map(\.id)).count == snapshot.elements.count
                && (snapshot.title ?? "").utf8.count <= limits.contentBytes
        case .authRefresh(let token): return token.utf8.count <= MessageDecoder.tokenBytes
        case .feedback(let feedback):
            return abs(feedback.value) == 1 && (feedback.text ?? "").utf8.count <= MessageDecoder.feedbackBytes
        case .cancel, .forget, .ping, .stepResult, .unsupported: return true
        }
    }

    private static func isGood(_ revision: Int64) -> Bool { (0...9_007_199_254_740_991).contains(revision) }

    private static func isGood(_ element: Element) -> Bool {
        let box = element.box
        let texts = [element.content, element.placeholder, element.value, element.label, element.region]
        return [box.x, box.y, box.width, box.height].allSatisfy(\.isFinite) && box.width >= 0 && box.height >= 0
            && texts.allSatisfy { ($0 ?? "").utf8.count <= limits.contentBytes }
    }
}
