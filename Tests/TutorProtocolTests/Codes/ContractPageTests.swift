// ContractPageTests: the published contract says what the code does.
// Spec: docs/protocol.md

import Testing
import TutorProtocol

@Suite("ContractPage")
struct ContractPageTests {
    let page: ContractPage

    init() throws {
        page = try ContractPage()
    }

    // MARK: Tables

    @Test func errorTableHasExactlyTheCodes() {
        let rows = page.table("| code | meaning | again |")
        #expect(rows.map { $0[0] }.sorted() == ErrorCode.allCases.map(\.rawValue).sorted())
        #expect(rows.allSatisfy { $0.count == 3 && !$0[1].isEmpty && !$0[2].isEmpty })
    }

    @Test func closeTableHasExactlyTheReasons() {
        let rows = page.table("| code | name | when | connect again |").map { "\($0[0]) \($0[1]) \($0[3])" }
        let reasons = CloseReason.allCases.map { "\($0.code) \($0.text) \($0.mayReconnect ? "yes" : "no")" }
        #expect(rows.sorted() == reasons.sorted())
    }

    @Test func limitTableHasExactlyTheLimitsAndDefaults() {
        let rows = page.table("| key | default | bound |").map { "\($0[0]) \($0[1])" }
        #expect(rows == Limits().named.map { "\($0.name) \($0.value)" })
    }

    @Test func sectionsHaveTheNumbersThatCommentsPointAt() {
        let numbers = page.lines.filter { $0.hasPrefix("## ") }.compactMap { Int($0.dropFirst(3).prefix { $0 != "." }) }
        #expect(numbers == Array(1...11))
    }

    @Test func everyNameOfAClosedListIsOnThePage() {
        let names: [[String]] = [
            Bye.Reason.allCases.map(\.rawValue), Ask.WhenBusy.allCases.map(\.rawValue),
            Coordinates.Origin.allCases.map(\.rawValue), Coordinates.Unit.allCases.map(\.rawValue),
            ElementKind.allCases.map(\.rawValue), ElementStates.names.map(\.name),
            Highlight.Shape.allCases.map(\.rawValue), HighlightUpdate.Why.allCases.map(\.rawValue),
            NextAction.Verb.allCases.map(\.rawValue), Role.allCases.map(\.rawValue),
            ScreenResync.Why.allCases.map(\.rawValue), TurnEnd.Dropped.Why.allCases.map(\.rawValue),
            TurnEnd.Status.allCases.map(\.rawValue), TurnStart.Cause.allCases.map(\.rawValue),
            TurnState.allCases.map(\.rawValue), Welcome.Resumed.allCases.map(\.rawValue),
            Welcome.WhyNew.allCases.map(\.rawValue),
        ]
        for name in names.joined() {
            #expect(page.text.contains("`\(name)`"), "\(name)")
        }
    }

    // MARK: What a client says

    @Test(arguments: try ContractPage.examples(.client))
    func clientExampleIsAccepted(_ example: ContractPage.Example) throws {
        _ = try MessageDecoder().decode(example.bytes)
    }

    @Test func refusedExamplesAreAnsweredAsThePageSays() throws {
        let examples = page.examples
        #expect(examples.contains { $0.speaker == .refusedClient })
        for (example, answer) in zip(examples, examples.dropFirst()) where example.speaker == .refusedClient {
            #expect(answer.speaker == .server)
            let error = #expect(throws: MessageError.self) { try MessageDecoder().decode(example.bytes) }
            var written: [UInt8] = []
            if let error { EventEncoder().append(.error(error.errorMessage), to: &written) }
            #expect(String(decoding: written, as: UTF8.self) == answer.text, "line \(answer.line)")
        }
    }

    @Test func everyClientMessageHasAnExample() throws {
        var offered: Set<String> = []
        var unsupported: Set<String> = []
        for example in page.examples where example.speaker == .client {
            let body = try MessageDecoder().decode(example.bytes).body
            if case .unsupported(let type) = body { unsupported.insert(type) } else { offered.insert(body.typeName) }
        }
        #expect(
            offered == [
                "ask", "auth.refresh", "cancel", "feedback", "forget", "hello", "highlight.missed", "ping",
                "screen.delta", "screen.snapshot", "step.result",
            ])
        #expect(
            unsupported == [
                "confirm", "hand", "image.begin", "note", "policy", "skill.result", "steer", "unwatch", "watch",
            ])
    }

    // MARK: What the server says

    @Test func serverExamplesHaveOnlyFieldsThatAreSent() throws {
        let samples = try ServerSamples.all()
        var shown: Set<String> = []
        for example in page.examples where example.speaker == .server {
            let value = try JSONValue.parse(example.bytes)
            let type = try #require(value["type"]?.string, "line \(example.line)")
            let sample = try #require(samples[type], "line \(example.line): \(type) is never sent")
            #expect(misfit(value, sample, path: type) == nil, "line \(example.line)")
            shown.insert(type)
        }
        #expect(shown == Set(samples.keys))
    }

    /// Where a value has a field, or a kind of value, that the sample has not.
    private func misfit(_ value: JSONValue, _ sample: JSONValue, path: String) -> String? {
        switch (value, sample) {
        case (.object(let fields), .object(let known)):
            // Counts by name: the names are open.
            if known.isEmpty { return nil }
            for (key, field) in fields {
                guard let sample = known[key] else { return "\(path).\(key)" }
                if let place = misfit(field, sample, path: "\(path).\(key)") { return place }
            }
            return nil
        case (.array(let entries), .array(let known)):
            return known.first.flatMap { first in
                entries.lazy.compactMap { misfit($0, first, path: path + "[]") }.first
            }
        case (.string, .string), (.number, .number), (.bool, .bool), (.null, _), (_, .null): return nil
        default: return path
        }
    }
}

extension ClientMessage.Body {
    fileprivate var typeName: String {
        switch self {
        case .ask: "ask"
        case .authRefresh: "auth.refresh"
        case .cancel: "cancel"
        case .feedback: "feedback"
        case .forget: "forget"
        case .hello: "hello"
        case .highlightMissed: "highlight.missed"
        case .ping: "ping"
        case .screenDelta: "screen.delta"
        case .screenSnapshot: "screen.snapshot"
        case .stepResult: "step.result"
        case .unsupported(let type): type
        }
    }
}
