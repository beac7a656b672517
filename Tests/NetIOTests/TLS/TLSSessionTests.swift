// TLSSessionTests: TLS without sockets, against OpenSSL's client.

import COpenSSL
import NetIO
import Testing

@Suite("TLS session")
struct TLSSessionTests {
    /// A server's session and a client that share nothing but bytes.
    private final class Link {
        let pipe: TLSPipe
        let server: TLSSession
        let client: TLSMemoryClient
        var received: [UInt8] = []
        var answer: (plaintext: [UInt8], alert: Int32?, isClosed: Bool) = ([], nil, false)

        init(_ options: TLSClientOptions = TLSClientOptions(), _ context: TLSContext? = nil) throws {
            pipe = try #require(TLSPipe())
            server = try #require(try (context ?? TestCertificates.context()).makeSession(pipe))
            client = try #require(TLSMemoryClient(options))
        }

        /// Carries bytes both ways, in pieces, until neither side has any.
        func settle(pieces: Int = .max) {
            while true {
                let up = client.takeOutput()
                for start in stride(from: 0, to: up.count, by: min(pieces, up.count + 1)) {
                    feed(Array(up[start..<min(up.count, start + min(pieces, up.count))]))
                }
                let down = takeCiphertext()
                if up.isEmpty, down.isEmpty { return }
                for start in stride(from: 0, to: down.count, by: min(pieces, down.count + 1)) {
                    let part = client.receive(Array(down[start..<min(down.count, start + min(pieces, down.count))]))
                    answer = (answer.plaintext + part.plaintext, answer.alert ?? part.alert, part.isClosed)
                }
            }
        }

        func feed(_ bytes: [UInt8]) {
            bytes.withUnsafeBytes { received += server.receive($0) }
        }

        func takeCiphertext() -> [UInt8] {
            var all: [UInt8] = []
            while server.ciphertextByteCount > 0 {
                server.sendCiphertext { bytes in
                    all += bytes
                    return bytes.count
                }
            }
            return all
        }

        func seal(_ bytes: [UInt8]) { bytes.withUnsafeBytes { server.seal($0) } }
    }

    @Test(
        arguments: [TLS1_2_VERSION, TLS1_3_VERSION],
        [TestCertificates.Kind.ecdsa, .rsa].flatMap { kind in [1, 2, 7, 1_000, Int.max].map { (kind, $0) } })
    func carriesBytesInPiecesOfAnySize(version: Int32, how: (kind: TestCertificates.Kind, pieces: Int)) throws {
        let link = try Link(TLSClientOptions(versions: version...version), TestCertificates.context([how.kind]))
        link.settle(pieces: how.pieces)
        #expect(link.client.isEstablished && link.server.state == .established)
        let bytes = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        link.client.send(bytes)
        link.settle(pieces: how.pieces)
        #expect(link.received == bytes)
        link.seal(bytes)
        link.settle(pieces: how.pieces)
        #expect(link.answer.plaintext == bytes)
    }

    /// The kernel takes a little less than what is sealed, each time.
    @Test func readerThatAlwaysLagsALittleHoldsOnlyWhatItLags() throws {
        let link = try Link()
        link.settle()
        let piece = [UInt8](repeating: 7, count: 10_000)
        for _ in 0..<500 {
            link.seal(piece)
            link.server.keep()
            let lag = link.server.ciphertextByteCount - 5_000
            link.server.sendCiphertext { bytes in min(bytes.count, lag) }
            #expect(link.server.heldByteCount < 60_000)
        }
    }

    @Test func everyRecordOfAnInputIsGivenAtOnce() throws {
        let link = try Link()
        link.settle()
        for byte in UInt8(0)..<200 { link.client.send([byte]) }
        link.feed(link.client.takeOutput())
        #expect(link.received == Array(0..<200))
    }

    @Test func clientGetsTheCertificateThatItCanCheck() throws {
        for (signatures, suite) in [("ECDSA+SHA256", "ECDHE-ECDSA-"), ("RSA-PSS+SHA256", "ECDHE-RSA-")] {
            let link = try Link(TLSClientOptions(versions: TLS1_2_VERSION...TLS1_2_VERSION, signatures: signatures))
            link.settle()
            #expect(TLSInspection.suite(link.client.ssl).hasPrefix(suite))
        }
    }

    @Test(arguments: [
        [], ["http/1.1"], ["h2", "http/1.1"], ["http/1.1", "h2"],
    ])
    func choosesHTTP(offer: [String]) throws {
        let link = try Link(TLSClientOptions(protocols: offer, serverName: "school.example"))
        link.settle()
        #expect(link.server.state == .established)
        #expect(TLSInspection.applicationProtocol(link.client.ssl) == (offer.isEmpty ? "" : "http/1.1"))
    }

    @Test func offerWithoutHTTPIsRefusedWithItsAlert() throws {
        let link = try Link(TLSClientOptions(protocols: ["h2", "http/1.0"]))
        link.settle()
        #expect(link.server.state == .failed(.handshake(reason: "no application protocol")))
        #expect(link.answer.alert == 120)
    }

    @Test(arguments: [TLS1_VERSION, TLS1_1_VERSION])
    func oldVersionsAreRefused(version: Int32) throws {
        let link = try Link(TLSClientOptions(versions: version...version))
        link.settle()
        #expect(link.server.state == .failed(.handshake(reason: "unsupported protocol")))
        #expect(link.answer.alert == 70)
    }

    @Test(arguments: [
        "ECDHE-RSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384", "AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256",
    ])
    func suitesWithoutForwardSecrecyOrAuthenticatedEncryptionAreRefused(suite: String) throws {
        let link = try Link(TLSClientOptions(versions: TLS1_2_VERSION...TLS1_2_VERSION, suites: suite))
        link.settle()
        #expect(link.server.state == .failed(.handshake(reason: "no shared cipher")))
        #expect(link.answer.alert == 40)
    }

    @Test func closeNotifyEndsEachDirectionByItself() throws {
        let link = try Link()
        link.settle()
        link.client.send([1])
        link.client.close()
        link.settle()
        #expect(link.received == [1] && link.server.state == .closedByPeer)
        link.seal([2])
        link.server.close()
        link.server.close()
        link.settle()
        #expect(link.answer.plaintext == [2] && link.answer.isClosed)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST /v1 HTTP/1.1\r\n", "hello, is this the server?"])
    func whatIsNoTLSIsNamed(text: String) throws {
        let link = try Link()
        link.feed(Array(text.utf8))
        #expect(link.server.state == .failed(.notTLS))
    }

    @Test func randomBytesEndTheSessionAndNothingElse() throws {
        let context = try TestCertificates.context()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            let link = try Link(TLSClientOptions(), context)
            var hello = link.client.takeOutput()
            // A true hello with one byte changed, and noise behind it.
            hello[Int.random(in: 0..<hello.count, using: &generator)] ^= UInt8.random(in: 1...255, using: &generator)
            link.feed(hello)
            link.feed((0..<2_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
            #expect(link.server.state != .established)
        }
    }

    @Test func changedRecordIsAFailure() throws {
        let link = try Link()
        link.settle()
        link.client.send([1, 2, 3])
        var record = link.client.takeOutput()
        record[record.count - 1] ^= 1
        link.feed(record)
        guard case .failed(.record) = link.server.state else {
            Issue.record("\(link.server.state)")
            return
        }
        #expect(link.received.isEmpty && !link.server.canSeal)
        link.settle()
        #expect(link.answer.alert == 20)
    }

    @Test func handshakeThatGoesOnForEverIsCut() throws {
        let link = try Link()
        // A hello that says it has 131 000 bytes, and its first records.
        let body = [UInt8](repeating: 0, count: 16_384)
        var isFirst = true
        for _ in 0..<6 where link.server.state == .handshaking {
            var record: [UInt8] = [22, 3, 1, 0x40, 0] + body
            if isFirst { record.replaceSubrange(5..<9, with: [1, 1, 0xFF, 0xB8]) }
            isFirst = false
            link.feed(record)
        }
        #expect(link.server.state == .failed(.handshakeTooLong))
    }

    @Test func renegotiationIsRefusedAndTheSessionGoesOn() throws {
        let link = try Link(TLSClientOptions(versions: TLS1_2_VERSION...TLS1_2_VERSION))
        link.settle()
        SSL_renegotiate(link.client.ssl)
        SSL_do_handshake(link.client.ssl)
        link.feed(link.client.takeOutput())
        #expect(link.server.state == .established)
        // The client is answered with no_renegotiation, a warning.
        #expect(!link.takeCiphertext().isEmpty)
    }

    @Test func keyUpdateIsAnsweredAndBytesGoOn() throws {
        let link = try Link(TLSClientOptions(versions: TLS1_3_VERSION...TLS1_3_VERSION))
        link.settle()
        SSL_key_update(link.client.ssl, SSL_KEY_UPDATE_REQUESTED)
        link.client.send([7])
        link.settle()
        #expect(link.received == [7])
        link.seal([8])
        link.settle()
        #expect(link.answer.plaintext == [8])
    }

    @Test func nothingIsResumedAndNoEarlyDataIsTaken() throws {
        let link = try Link(TLSClientOptions(versions: TLS1_3_VERSION...TLS1_3_VERSION))
        link.settle()
        link.seal([1])
        link.settle()
        #expect(SSL_SESSION_is_resumable(SSL_get_session(link.client.ssl)) == 0)
        #expect(SSL_SESSION_get_max_early_data(SSL_get_session(link.client.ssl)) == 0)
    }

    @Test func manySessionsOfOnePipeDoNotMixTheirBytes() throws {
        let context = try TestCertificates.context()
        let pipe = try #require(TLSPipe())
        let servers = try (0..<20).map { _ in try #require(context.makeSession(pipe)) }
        let clients = try (0..<20).map { _ in try #require(TLSMemoryClient()) }
        var received = [[UInt8]](repeating: [], count: 20)
        // All handshakes at once, a step each in turn.
        for round in 0..<6 {
            for index in 0..<20 {
                if round == 3 { clients[index].send([UInt8(index)]) }
                clients[index].takeOutput().withUnsafeBytes { received[index] += servers[index].receive($0) }
                var down: [UInt8] = []
                while servers[index].ciphertextByteCount > 0 {
                    servers[index].sendCiphertext { bytes in
                        down += bytes.prefix(100)
                        return min(100, bytes.count)
                    }
                }
                _ = clients[index].receive(down)
            }
        }
        #expect(received == (0..<20).map { [UInt8($0)] })
    }
}
