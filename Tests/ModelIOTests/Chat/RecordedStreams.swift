// RecordedStreams: streams recorded from real servers, where the evaluation data is at hand.
// Spec: docs/models.md (tests)

import Foundation
import ModelIO
import TutorCore
import TutorProtocol

/// Streams recorded from real servers, in `sse` of the folder that CHALKLINE_EVAL_DATA names.
enum RecordedStreams {
    static let folder = ProcessInfo.processInfo.environment["CHALKLINE_EVAL_DATA"].map { $0 + "/sse/" }

    /// The recordings whose names end like this.
    static func names(_ ending: String) -> [String] {
        guard let folder else { return [] }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(ending) }
            .sorted()
    }

    static func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: (folder ?? "") + name)))
    }

    /// What a stream of well-formed lines says, read in the plainest way there is: by lines, not by bytes.
    static func reference(_ body: [UInt8]) -> (text: String, reason: String?, usage: ModelUsage?) {
        var text = ""
        var reason: String?
        var usage: ModelUsage?
        for line in body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard line.starts(with: Array("data:".utf8)), let value = try? JSONValue.parse(Array(line.dropFirst(5)))
            else {
                continue
            }
            text += value["choices"]?[0]?["delta"]?["content"]?.string ?? ""
            reason = value["choices"]?[0]?["finish_reason"]?.string ?? reason
            if let input = value["usage"]?["prompt_tokens"]?.int {
                usage = ModelUsage(
                    input: input, cached: value["usage"]?["prompt_tokens_details"]?["cached_tokens"]?.int ?? 0,
                    output: value["usage"]?["completion_tokens"]?.int ?? 0)
            }
        }
        return (text, reason, usage)
    }

    /// The events that a stream should give.
    static func expected(_ body: [UInt8]) -> [ModelEvent] {
        let (text, reason, usage) = reference(body)
        var events: [ModelEvent] = text.isEmpty ? [] : [.text(text)]
        if let usage { events.append(.usage(usage)) }
        if let reason {
            events.append(.finished(FinishReason(rawValue: reason) ?? .stop))
        } else {
            events.append(.failed(.unavailable(detail: "answer ended early")))
        }
        return events
    }
}
