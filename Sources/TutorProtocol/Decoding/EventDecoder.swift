// EventDecoder: reads back the numbered events that EventEncoder wrote in canonical form.
// Spec: docs/protocol.md §5; docs/reliability.md (what is kept)

/// Reads back the numbered events that ``EventEncoder`` wrote with the canonical mapper.
///
/// Every bound is the encoder's own; the bytes come from a disk, so nothing about them is believed. Fields that are not
/// known are checked as JSON and ignored, so that an older server reads what a newer one wrote.
public struct EventDecoder: Sendable {
    /// An event as it was written.
    public struct Entry: Sendable, Hashable {
        /// The event, with its number.
        public var event: LoggedEvent
        /// The number of the first of the merged `answer.delta`s that it stands for; nil for one.
        public var fromSeq: Int64?
    }

    /// Deepest nesting that is read; the encoder writes at most 3.
    private static let limits = JSONLimits(depth: 8)

    /// Makes a decoder.
    public init() {}

    /// Reads one event: one object, nothing behind it.
    ///
    /// Throws what is wrong and where: bytes that are no JSON, a type that is not known, a field that is missing or of a
    /// wrong kind. O(bytes).
    public func decode(_ bytes: Span<UInt8>) throws(JSONError) -> Entry {
        guard bytes.count <= Self.limits.bytes else { throw JSONError(.tooManyBytes, at: Self.limits.bytes) }
        return try JSONReader.read(bytes, limits: Self.limits) { (reader) throws(JSONError) in
            let start = try reader.valueStart()
            var fields = EventFields(start: start)
            try reader.openObject()
            while let name = try reader.nextName() { try fields.read(name, &reader) }
            try reader.finish()
            return try fields.entry()
        }
    }

    /// Reads one event: one object, nothing behind it.
    public func decode(_ bytes: [UInt8]) throws(JSONError) -> Entry { try decode(bytes.span) }
}
