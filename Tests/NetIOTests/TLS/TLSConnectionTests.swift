// TLSConnectionTests: TLS on a real shard.

import COpenSSL
import Glibc
import NetIO
import Synchronization
import Testing

@Suite("TLS connection")
struct TLSConnectionTests {
    private static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    private func client(
        _ fixture: EchoFixture, _ options: TLSClientOptions = TLSClientOptions(), receiveBuffer: Int32? = nil
    ) throws -> TLSTestClient {
        try #require(try TLSTestClient(port: fixture.port, options, receiveBuffer: receiveBuffer))
    }

    @Test(arguments: versions)
    func echoesWritesOfManySizes(version: Int32) async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let client = try client(fixture, TLSClientOptions(versions: version...version))
        #expect(client.isEstablished)
        for size in [1, 2, 3, 17, 1_000, 16_383, 16_384, 16_385, 60_000] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
            client.send(bytes)
            #expect(client.receive(size) == bytes)
        }
        for byte in UInt8(0)..<200 { client.send([byte]) }
        #expect(client.receive(200) == Array(0..<200))
    }

    @Test func aByteASegmentIsEnoughForHandshakeAndEcho() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let tcp = try TestClient(port: fixture.port)
        let client = try #require(TLSMemoryClient())
        func up() {
            for byte in client.takeOutput() {
                tcp.send([byte])
                usleep(20)
            }
        }
        up()
        while !client.isEstablished {
            let bytes = tcp.receive(1)
            guard !bytes.isEmpty else { break }
            _ = client.receive(bytes)
        }
        client.send([1, 2, 3])
        up()
        var echoed: [UInt8] = []
        while echoed.count < 3 {
            let bytes = tcp.receive(1)
            guard !bytes.isEmpty else { break }
            echoed += client.receive(bytes).plaintext
        }
        #expect(echoed == [1, 2, 3])
    }

    /// Not a divisor of any size in the path, so that lost or doubled bytes show.
    private static let pattern = (0..<200_800).map { UInt8(truncatingIfNeeded: $0 % 251) }

    @Test(arguments: versions)
    func whatASlowReaderHadToWaitForReachesItWhole(version: Int32) async throws {
        let written = Mutex<Int>(0)
        let fixture = try await EchoFixture(tls: TestCertificates.context()) { connection, _, shard in
            Self.fill(connection, on: shard) { count in
                written.withLock { $0 = count }
                connection.finish(on: shard)
            }
        }
        let client = try client(fixture, TLSClientOptions(versions: version...version), receiveBuffer: 65_536)
        client.send([1])
        var count = 0
        while true {
            let block = client.receive(Self.pattern.count)
            count += block.count
            guard block == Self.pattern else { break }
        }
        // Far more than a megabyte: the kernel's buffers hold that much before anything has to wait.
        #expect(count == written.withLock { $0 } && count >= 1_000_000)
        #expect(client.hasCloseNotify)
    }

    @Test(arguments: versions)
    func peerThatHasSaidCloseNotifyStillGetsTheWholeAnswer(version: Int32) async throws {
        let written = Mutex<Int>(0)
        let fixture = try await EchoFixture(tls: TestCertificates.context()) { connection, _, shard in
            Self.fill(connection, on: shard) { count in written.withLock { $0 = count } }
        }
        let client = try client(fixture, TLSClientOptions(versions: version...version), receiveBuffer: 8_192)
        client.send([1])
        for _ in 0..<2_000 where written.withLock({ $0 }) == 0 { usleep(5_000) }
        client.close()
        let count = written.withLock { $0 }
        #expect(client.receive(count + 1).count == count)
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByPeer])
    }

    /// Writes the pattern every millisecond until the kernel takes no more, then tells how much that was.
    private static func fill(
        _ connection: Connection, written: Int = 0, on shard: isolated Shard, blocked: @escaping (Int) -> Void
    ) {
        guard !connection.isBlocked else { return blocked(written) }
        connection.write(on: shard) { $0 += pattern }
        _ = shard.schedule(after: .milliseconds(1)) {
            fill(connection, written: written + pattern.count, on: shard, blocked: blocked)
        }
    }

    @Test func tellsWhenABlockedConnectionIsDrained() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context()) { connection, _, shard in
            ConnectionTests.fill(connection, on: shard)
        }
        let client = try client(fixture, receiveBuffer: 65_536)
        client.send([1])
        try await Task.sleep(for: .milliseconds(200))
        #expect(fixture.drains.withLock { $0 } == 0)
        while fixture.drains.withLock({ $0 }) == 0 {
            guard client.receive(100_000).count == 100_000 else { break }
        }
        #expect(fixture.drains.withLock { $0 } >= 1)
    }

    @Test func readerThatNeverReadsIsCutAtTheQueueLimit() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context()) { connection, _, shard in
            for _ in 0..<8 { connection.write(on: shard) { $0 += [UInt8](repeating: 0, count: 1_000_000) } }
        }
        let client = try client(fixture, receiveBuffer: 4_096)
        client.send([1])
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.overflowed])
    }

    @Test(arguments: versions)
    func finishSendsEverythingAndCloseNotify(version: Int32) async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context()) { connection, _, shard in
            connection.write(on: shard) { $0 += [UInt8](repeating: 7, count: 900_000) }
            connection.finish(on: shard)
        }
        let client = try client(fixture, TLSClientOptions(versions: version...version), receiveBuffer: 8_192)
        client.send([1])
        #expect(client.receive(1_000_000).count == 900_000)
        #expect(client.hasCloseNotify)
        client.close()
        shutdown(client.tcp.descriptor, Int32(SHUT_RDWR))
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByServer])
    }

    @Test(arguments: versions)
    func closeNotifyIsAnOrderlyEndAndIsAnswered(version: Int32) async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let client = try client(fixture, TLSClientOptions(versions: version...version))
        client.send([1, 2])
        client.close()
        // What came before it is still echoed.
        #expect(client.receive(3) == [1, 2])
        #expect(client.hasCloseNotify)
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.closedByPeer])
    }

    @Test func endOfTheStreamWithoutCloseNotifyIsAFailure() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let client = try client(fixture)
        client.send([1])
        #expect(client.receive(1) == [1])
        client.tcp.shutdownWrite()
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.tls(.truncated)])
    }

    @Test func alertOfTheClientIsTold() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let tcp = try TestClient(port: fixture.port)
        let client = try #require(TLSMemoryClient(TLSClientOptions(versions: TLS1_2_VERSION...TLS1_2_VERSION)))
        // A hello, then a fatal alert in the clear: unknown_ca.
        tcp.send(client.takeOutput() + [21, 3, 3, 0, 2, 2, 48])
        tcp.shutdownWrite()
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.tls(.refused(alert: 48))])
    }

    @Test func plainHTTPIsEndedInOrder() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let tcp = try TestClient(port: fixture.port)
        tcp.send(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        let end = tcp.receiveResult()
        #expect(end.count == 0, "errno \(end.code)")
        tcp.shutdownWrite()
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.tls(.notTLS)])
    }

    @Test func oldClientGetsItsAlertAndThenTheEnd() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let tcp = try TestClient(port: fixture.port)
        let client = try #require(TLSMemoryClient(TLSClientOptions(versions: TLS1_1_VERSION...TLS1_1_VERSION)))
        tcp.send(client.takeOutput())
        let answer = tcp.receive(7)
        #expect(answer == [21, 3, 1, 0, 2, 2, 70] || answer == [21, 3, 2, 0, 2, 2, 70], "\(answer)")
        #expect(tcp.receiveResult().count == 0)
        tcp.shutdownWrite()
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.tls(.handshake(reason: "unsupported protocol"))])
    }

    @Test func failedPeerThatStaysIsClosedWithinTheLingerTime() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let tcp = try TestClient(port: fixture.port)
        tcp.send(Array("nonsense, and no end of it".utf8))
        #expect(await fixture.waitForEnds(1))
        #expect(fixture.ends.withLock { $0 } == [.tls(.notTLS)])
        withExtendedLifetime(tcp) {}
    }

    @Test func handlerMayFinishAHandshakeThatStalls() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let socket = try ListeningSocket(ListenAddress("127.0.0.1:0"), isShared: false)
        let port = socket.address.port
        try await Self.listen(ListeningHandOver(socket), try TestCertificates.context(), on: shard)
        let tcp = try TestClient(port: port)
        let client = try #require(TLSMemoryClient())
        tcp.send(Array(client.takeOutput().prefix(50)))
        #expect(tcp.receiveResult().count == 0)
    }

    private static func listen(
        _ socket: ListeningHandOver, _ context: TLSContext, on shard: isolated Shard
    ) throws {
        try Listener.start(socket.take(), tls: context, on: shard) { connection in
            // As the wait for a request's head does.
            _ = shard.schedule(after: .milliseconds(100)) { connection.finish(on: shard) }
            return EchoHandler(behaviour: EchoHandler.echo, ended: { _ in }, drained: {})
        }
    }

    @Test(arguments: versions)
    func handlerMaySpeakBeforeTheHandshakeIsDone(version: Int32) async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let socket = try ListeningSocket(ListenAddress("127.0.0.1:0"), isShared: false)
        let port = socket.address.port
        try await Self.greet(ListeningHandOver(socket), try TestCertificates.context(), on: shard)
        let client = try #require(
            try TLSTestClient(port: port, TLSClientOptions(versions: version...version)))
        #expect(client.receive(100_001).count == 100_000)
        #expect(client.hasCloseNotify)
    }

    private static func greet(
        _ socket: ListeningHandOver, _ context: TLSContext, on shard: isolated Shard
    ) throws {
        try Listener.start(socket.take(), tls: context, on: shard) { connection in
            connection.write(on: shard) { $0 += [UInt8](repeating: 3, count: 100_000) }
            connection.finish(on: shard)
            return EchoHandler(behaviour: EchoHandler.echo, ended: { _ in }, drained: {})
        }
    }

    @Test func resetsAndHalfHandshakesLeaveNoDescriptorBehind() async throws {
        let fixture = try await EchoFixture(tls: TestCertificates.context())
        let hello = try #require(TLSMemoryClient()).takeOutput()
        for round in 0..<150 {
            let tcp = try TestClient(port: fixture.port)
            tcp.send(Array(hello.prefix(round * 4)))
            if round % 2 == 0 { tcp.reset() }
        }
        #expect(await fixture.waitForEnds(150))
        // Only the listener's own is left.
        #expect(try await waitForLocalSockets(1, port: fixture.port))
        let client = try client(fixture)
        client.send([5])
        #expect(client.receive(1) == [5])
    }
}
