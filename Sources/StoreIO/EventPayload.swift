// EventPayload: one row of events: the entries of one flush, one JSON object a line.
// Spec: docs/reliability.md (what is kept)

internal import TutorCore
internal import TutorProtocol

/// One row of events: the entries of one flush in canonical form, one JSON object a line.
enum EventPayload {
    /// Writes the entries.
    static func bytes(_ entries: [SessionWrite.Entry]) -> [UInt8] {
        let encoder = EventEncoder()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(entries.count * 128)
        for entry in entries {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            let fromSeq = entry.firstSeq == entry.event.seq ? nil : entry.firstSeq
            encoder.append(entry.event, fromSeq: fromSeq, to: &bytes)
        }
        return bytes
    }

    /// Reads the entries; nil when a line is damaged or their numbers have a gap or do not run from `first` to `last`.
    static func entries(_ bytes: [UInt8], first: Int64, last: Int64) -> [SessionWrite.Entry]? {
        var entries: [SessionWrite.Entry] = []
        var next = first
        let decoder = EventDecoder()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let read = try? decoder.decode([UInt8](line)) else { return nil }
            let entry = SessionWrite.Entry(firstSeq: read.fromSeq ?? read.event.seq, event: read.event)
            guard entry.firstSeq == next else { return nil }
            next = entry.event.seq + 1
            entries.append(entry)
        }
        return next == last + 1 ? entries : nil
    }
}
