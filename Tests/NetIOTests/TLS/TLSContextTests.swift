// TLSContextTests: loading certificates, and what is said when they are wrong.

import Foundation
import NetIO
import Testing

@Suite("TLS context")
struct TLSContextTests {
    private func error(_ files: [TLSContext.Files]) -> TLSError? {
        do throws(TLSError) {
            _ = try TLSContext(certificates: files)
            return nil
        } catch {
            return error
        }
    }

    private func temporaryFile(_ name: String, _ text: String = "") throws -> String {
        let path = "\(TestCertificates.folder)/\(UUID().uuidString)-\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    @Test func takesOneOfEachKind() {
        #expect(error([TestCertificates.files(.ecdsa), TestCertificates.files(.rsa)]) == nil)
        #expect(error([TestCertificates.files(.rsa)]) == nil)
    }

    @Test func missingFileIsNamed() {
        let good = TestCertificates.files(.ecdsa)
        #expect(error([("/nowhere/a.pem", good.key)]) == .unreadable(path: "/nowhere/a.pem", code: ENOENT))
        #expect(error([(good.certificate, "/nowhere/a.key")]) == .unreadable(path: "/nowhere/a.key", code: ENOENT))
        #expect(error([("/nowhere/a.pem", good.key)])?.description.contains("/nowhere/a.pem") == true)
        #expect(error([]) == TLSError.none)
    }

    @Test func fileOfAnotherKindIsNamed() throws {
        let good = TestCertificates.files(.ecdsa)
        let text = try temporaryFile("text.pem", "not a certificate")
        guard case .certificate(text, let reason) = error([(text, good.key)]) else {
            Issue.record("no error for \(text)")
            return
        }
        #expect(!reason.isEmpty)
        guard case .key(good.certificate, _) = error([(good.certificate, good.certificate)]) else {
            Issue.record("a certificate passes for a key")
            return
        }
    }

    @Test func keyOfAnotherCertificateIsAMismatch() {
        let (first, second) = (TestCertificates.files(.ecdsa), TestCertificates.files(.ecdsa, "second"))
        #expect(
            error([(first.certificate, second.key)]) == .mismatch(certificate: first.certificate, key: second.key))
        let rsa = TestCertificates.files(.rsa)
        #expect(error([(first.certificate, rsa.key)]) == .mismatch(certificate: first.certificate, key: rsa.key))
    }

    @Test func twoCertificatesOfAKindAreRefused() {
        let second = TestCertificates.files(.rsa, "second")
        #expect(error([TestCertificates.files(.rsa), second]) == .sameKind(path: second.certificate))
    }

    @Test func encryptedKeyIsSaidToBeOne() throws {
        let good = TestCertificates.files(.rsa)
        let path = try temporaryFile("encrypted.key")
        TestCertificates.openssl(["pkcs8", "-topk8", "-in", good.key, "-out", path, "-passout", "pass:x"])
        #expect(error([(good.certificate, path)]) == .encryptedKey(path: path))
    }

    @Test func shortKeyIsRefused() throws {
        let (certificate, key) = (try temporaryFile("short.pem"), try temporaryFile("short.key"))
        TestCertificates.openssl([
            "req", "-x509", "-nodes", "-newkey", "rsa:1024", "-subj", "/CN=short", "-keyout", key, "-out", certificate,
        ])
        #expect(error([(certificate, key)]) == .certificate(path: certificate, reason: "ee key too small"))
    }

    @Test func reloadServesTheNewCertificateAndABrokenOneKeepsTheOld() throws {
        let (certificate, key) = (try temporaryFile("live.pem"), try temporaryFile("live.key"))
        func put(_ files: TLSContext.Files) throws {
            for (from, to) in [(files.certificate, certificate), (files.key, key)] {
                try Data(contentsOf: URL(filePath: from)).write(to: URL(filePath: to))
            }
        }
        try put(TestCertificates.files(.ecdsa))
        let context = try TLSContext(certificates: [(certificate, key)])
        #expect(try servedName(context) == "first")
        try put(TestCertificates.files(.rsa, "second"))
        #expect(try servedName(context) == "first")
        try context.reload()
        #expect(try servedName(context) == "second")
        try Data("broken".utf8).write(to: URL(filePath: certificate))
        #expect(throws: TLSError.self) { try context.reload() }
        #expect(try servedName(context) == "second")
    }

    private func servedName(_ context: TLSContext) throws -> String {
        let pipe = try #require(TLSPipe())
        let session = try #require(context.makeSession(pipe))
        let client = try #require(TLSMemoryClient())
        client.takeOutput().withUnsafeBytes { _ = session.receive($0) }
        session.sendCiphertext { bytes in
            _ = client.receive(Array(bytes))
            return bytes.count
        }
        return TLSInspection.commonName(client.ssl)
    }
}
