// EventStreamTarget: the same bytes in any split give the same events and the same error, and each event, written
// again, reads as itself.
// Spec: WHATWG HTML §9.2.5, §9.2.6

import WireCore

/// What a stream came to.
private struct StreamReading: Equatable {
    var events: [ServerSentEvent] = []
    var error: EventStreamError?
    var last: ServerSentEvent?
    var retryMilliseconds: Int?
    var hasKnownLine = false

    init(_ pieces: [ArraySlice<UInt8>], lineLimit: Int, eventLimit: Int) {
        var parser = EventStreamParser(maximumLineBytes: lineLimit, maximumEventBytes: eventLimit)
        do throws(EventStreamError) {
            for piece in pieces { try parser.receive(piece.span, into: &events) }
        } catch {
            self.error = error
        }
        last = parser.finish()
        retryMilliseconds = parser.retryMilliseconds
        hasKnownLine = parser.hasKnownLine
    }
}

/// The first byte chooses the limits, so that they are met by short inputs too; the rest is the stream.
func fuzzEventStream(_ bytes: [UInt8]) {
    guard let choice = bytes.first else { return }
    let lineLimit = choice & 1 == 0 ? 65_536 : 8 + Int(choice >> 1)
    let eventLimit = choice & 2 == 0 ? 262_144 : 4 + Int(choice >> 2)
    let reading = Splits.agree(on: [UInt8](bytes.dropFirst()), "stream") {
        StreamReading($0, lineLimit: lineLimit, eventLimit: eventLimit)
    }
    invariant(reading.error == nil || reading.last == nil, "an event after the error \(reading)")
    for event in reading.events {
        let again = StreamReading([written(event)[...]], lineLimit: 1 << 20, eventLimit: 1 << 21)
        invariant(again.events == [event] && again.error == nil, "\(event) reads again as \(again)")
    }
}

private func written(_ event: ServerSentEvent) -> [UInt8] {
    var bytes = [UInt8]("event: \(event.type)\nid: \(event.lastEventID)\n".utf8)
    for line in event.data.split(separator: 0x0A, omittingEmptySubsequences: false) {
        bytes += [UInt8]("data: ".utf8) + line + [0x0A]
    }
    return bytes + [0x0A]
}
