// ConnectionTests: reading, writing and closing on a real shard.

import Glibc
import NetIO
import Synchronization
import Testing

@Suite("Connection")
struct ConnectionTests {
    @Test func echoesAcrossManyReads() async throws {
        let fixture = try await EchoFixture()
        let client = try TestClient(port: fixture.port)
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        // The kernel's buffers hold less than this both ways, so the client must read while it writes.
        var echoed: [UInt8] = []
        for chunk in stride(from: 0, to: bytes.count, by: 50_000) {
            client.send(Array(bytes[chunk..<chunk + 50_000]))
            echoed += client.receive(50_000)
        }
        #expect(echoed == bytes)
    }

    @Test func tellsWhenThePeerCloses() async throws {
        let fixture = try await EchoFixture()
        var client: TestClient? = try TestClient(port: fixture.port)
        client?.send([1])
        #expect(client?.receive(1) == [1])
        client = nil
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByPeer])
    }

    @Test func finishSendsEverythingBeforeTheEndOfTheStream() async throws {
        let fixture = try await EchoFixture { connection, _, shard in
            connection.write(on: shard) { $0 += [UInt8](repeating: 7, count: 900_000) }
            connection.finish(on: shard)
            connection.write(on: shard) { $0 += [8] }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 8_192)
        client.send([1])
        #expect(client.receive(1_000_000).count == 900_000)
        #expect(client.receiveResult().count == 0)
    }

    @Test func peerThatStillSendsSeesAnOrderlyEndAndNoReset() async throws {
        let fixture = try await EchoFixture { connection, _, shard in
            connection.write(on: shard) { $0 += [9] }
            connection.finish(on: shard)
        }
        let client = try TestClient(port: fixture.port)
        client.send([UInt8](repeating: 1, count: 100_000))
        #expect(client.receive(1) == [9])
        client.send([UInt8](repeating: 1, count: 100_000))
        let end = client.receiveResult()
        #expect(end.count == 0, "errno \(end.code)")
    }

    @Test func finishEndsWithinTheLingerTimeWhenThePeerStaysOpen() async throws {
        let fixture = try await EchoFixture { connection, _, shard in connection.finish(on: shard) }
        let client = try TestClient(port: fixture.port)
        client.send([1])
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByServer])
        withExtendedLifetime(client) {}
    }

    @Test func bytesThatLeftAtOnceDoNotDoubleTheLingerTime() async throws {
        let begun = Mutex(ContinuousClock().now)
        let fixture = try await EchoFixture { connection, _, shard in
            begun.withLock { $0 = ContinuousClock().now }
            connection.write(on: shard) { $0 += [9] }
            connection.finish(within: .seconds(4), on: shard)
        }
        let client = try TestClient(port: fixture.port)
        client.send([1])
        #expect(client.receive(1) == [9])
        #expect(await fixture.waitForEnds(1))
        // Both times are the shard's own. More than one wait and less than two, with room for a machine at work.
        let ended = try #require(fixture.endTimes.withLock { $0.last })
        #expect(ended - begun.withLock { $0 } < .seconds(7.5))
        withExtendedLifetime(client) {}
    }

    @Test func resetByThePeerEndsTheConnection() async throws {
        let fixture = try await EchoFixture()
        for _ in 0..<50 {
            let client = try TestClient(port: fixture.port)
            client.send([1, 2, 3])
            client.reset()
        }
        #expect(await fixture.waitForEnds(50))
    }

    @Test func readerThatNeverReadsIsCutAtTheQueueLimit() async throws {
        let fixture = try await EchoFixture { connection, _, shard in
            for _ in 0..<8 { connection.write(on: shard) { $0 += [UInt8](repeating: 0, count: 1_000_000) } }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.overflowed])
    }

    @Test func whatGathersWhileThePeerReadsNothingMeetsTheQueueLimit() async throws {
        let fixture = try await EchoFixture { connection, _, shard in
            Self.fill(connection, on: shard) { _ in
                // Each piece is under the limit, as the answers to a flood of small messages are.
                for wait in 1...30 {
                    _ = shard.schedule(after: .milliseconds(wait)) {
                        connection.write(on: shard) { $0 += [UInt8](repeating: 5, count: 100_000) }
                    }
                }
            }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.overflowed])
    }

    @Test func oneBatchOfSmallWritesMeetsTheQueueLimitToo() async throws {
        let most = Mutex<(queued: Int, isClosed: Bool)>((0, false))
        let fixture = try await EchoFixture { connection, _, shard in
            for _ in 0..<20_000 {
                connection.write(on: shard) { $0 += [UInt8](repeating: 0, count: 1_000) }
                most.withLock { $0 = (max($0.queued, connection.queuedByteCount), connection.isClosed) }
            }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.overflowed])
        #expect(most.withLock { $0.queued } <= 1_048_576 + 1_000)
        #expect(most.withLock { $0.isClosed })
    }

    @Test(arguments: [false, true])
    func peerThatHasShutItsSideStillGetsTheWholeAnswer(finishes: Bool) async throws {
        let written = Mutex<Int>(0)
        let fixture = try await EchoFixture { connection, _, shard in
            Self.fill(connection, on: shard) { count in
                written.withLock { $0 = count }
                if finishes { connection.finish(on: shard) }
            }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        for _ in 0..<2_000 where written.withLock({ $0 }) == 0 { usleep(5_000) }
        client.shutdownWrite()
        let count = written.withLock { $0 }
        #expect(client.receive(count + 1).count == count)
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [finishes ? .closedByServer : .closedByPeer])
    }

    @Test func peerThatHasShutItsSideAndReadsNothingIsClosedWithinTheLingerTime() async throws {
        let fixture = try await EchoFixture { connection, _, shard in Self.fill(connection, on: shard) }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        usleep(100_000)
        client.shutdownWrite()
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByPeer])
    }

    @Test func slowReaderThatGetsOnIsNotCutByTheEnd() async throws {
        let written = Mutex<Int>(0)
        let fixture = try await EchoFixture { connection, _, shard in
            Self.fill(connection, on: shard) { count in
                written.withLock { $0 = count }
                connection.finish(within: .seconds(2), on: shard)
            }
        }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        var count = 0
        while true {
            // About 1 MB a second, so that the whole takes longer than the wait for a reader that does not get on. Not
            // `Task.sleep`: among many tests a task may come back seconds late, and would be that reader.
            usleep(100_000)
            let got = client.receive(100_000).count
            count += got
            if got == 0 { break }
        }
        #expect(count == written.withLock { $0 })
    }

    @Test func tellsWhenABlockedConnectionIsDrained() async throws {
        let fixture = try await EchoFixture { connection, _, shard in Self.fill(connection, on: shard) }
        let client = try TestClient(port: fixture.port, receiveBuffer: 4_096)
        client.send([1])
        try await Task.sleep(for: .milliseconds(200))
        #expect(fixture.drains.withLock { $0 } == 0)
        // More than the kernel's buffers hold: the rest can only come when the connection is writable again.
        #expect(client.receive(2_000_000).count == 2_000_000)
        client.send([1])
        for _ in 0..<300 where fixture.drains.withLock({ $0 }) == 0 {
            _ = client.receive(10_000)
            try await Task.sleep(for: .milliseconds(5))
        }
        #expect(fixture.drains.withLock { $0 } >= 1)
    }

    /// Writes every millisecond until the kernel takes no more, then tells how much that was.
    static func fill(
        _ connection: Connection, written: Int = 0, on shard: isolated Shard,
        blocked: @escaping (Int) -> Void = { _ in }
    ) {
        guard !connection.isBlocked else { return blocked(written) }
        connection.write(on: shard) { $0 += [UInt8](repeating: 5, count: 200_000) }
        _ = shard.schedule(after: .milliseconds(1)) {
            fill(connection, written: written + 200_000, on: shard, blocked: blocked)
        }
    }

    @Test func descriptorsReturnToTheirNumberAfterManyConnections() async throws {
        let fixture = try await EchoFixture()
        for _ in 0..<200 {
            let client = try TestClient(port: fixture.port)
            client.send([1])
            #expect(client.receive(1) == [1])
        }
        #expect(await fixture.waitForEnds(200))
        // Only the listener's own is left.
        #expect(try await waitForLocalSockets(1, port: fixture.port))
    }
}
