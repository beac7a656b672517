// EpochText: the epochs of a session as one column.
// Spec: docs/reliability.md (what is kept)

internal import TutorCore
internal import TutorProtocol

/// The epochs of a session as one column: `[{"end":41,"name":"e1"},{"name":"e2"}]`.
enum EpochText {
    /// Writes the epochs.
    static func text(_ epochs: [SessionRecord.Epoch]) -> String {
        let values = epochs.map { epoch in
            var members: [String: JSONValue] = ["name": .string(epoch.name)]
            if let end = epoch.end { members["end"] = .number(Double(end)) }
            return JSONValue.object(members)
        }
        var bytes: [UInt8] = []
        JSONValue.array(values).append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the epochs; nil when the text is damaged.
    static func epochs(_ text: String) -> [SessionRecord.Epoch]? {
        guard let list = try? JSONValue.parse([UInt8](text.utf8)).array else { return nil }
        var epochs: [SessionRecord.Epoch] = []
        for value in list {
            guard let name = value["name"]?.string else { return nil }
            epochs.append(SessionRecord.Epoch(name: name, end: value["end"]?.int.map(Int64.init)))
        }
        return epochs
    }
}
