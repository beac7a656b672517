// WriteTicketTests: the end of a write reaches the session wherever it is.

import NetIO
import Testing
import TutorCore

@testable import TutorServer

struct WriteTicketTests {
    @Test func ownerThatTheSessionMovedToIsTold() throws {
        let first = ShardPort(try Shard(index: 0))
        let second = ShardPort(try Shard(index: 1))
        let ticket = WriteTicket(Self.write, owner: first)
        #expect(ticket.isWritten == nil)
        ticket.move(to: second)
        #expect(ticket.finish(true) === second)
        #expect(ticket.isWritten == true)
    }

    @Test func sessionThatMovesAfterTheEndFindsIt() throws {
        let first = ShardPort(try Shard(index: 0))
        let ticket = WriteTicket(Self.write, owner: first)
        #expect(ticket.finish(false) === first)
        ticket.move(to: ShardPort(try Shard(index: 1)))
        #expect(ticket.isWritten == false)
    }

    private static let write = SessionWrite(
        session: SessionRecord(
            id: "s", subject: nil, room: nil, epochs: [], keyGeneration: 0, lastTurn: 0, lastSeq: 0, hintCeiling: 2,
            createdAt: 0, touchedAt: 0),
        turns: [], events: [])
}
