// CurlChatClientTests: the key, the proxy and the certificate.
// Spec: docs/models.md

import Foundation
import Glibc
import ModelIO
import Testing
import TutorCore
import TutorProtocol

extension CurlChatClientTests {
    @Test func sendsTheKeyAndTellsNobody() throws {
        let (events, _, requests) = try play(
            """
            [{"steps": [{"text": "a"}, {"data": "{\\"error\\":{\\"message\\":\\"bad key sk-planted-99 or h-planted-77\\"}}"}]}]
            """
        ) {
            $0.key = Secret("sk-planted-99")
            $0.headers = [ModelHeader(name: "X-Tenant", value: Secret("h-planted-77"))]
        }
        #expect(requests.first?["headers"]?["authorization"]?.string == "Bearer sk-planted-99")
        #expect(requests.first?["headers"]?["x-tenant"]?.string == "h-planted-77")
        #expect(events == [.text("a"), .failed(.invalid(detail: "bad key <redacted> or <redacted>"))])
    }

    @Test func ignoresAProxyOfTheEnvironment() throws {
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("ALL_PROXY")
        }
        let (events, _, _) = try play("[{\"say\": \"direct\"}]")
        #expect(text(of: events) == "direct")
    }

    @Test func checksTheCertificate() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
            "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out", folder + "/cert.pem",
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
        let endpoint = try ScriptedEndpoint(
            "[{\"say\": \"over tls\"}]", certificate: folder + "/cert.pem", key: folder + "/key.pem")
        func ask(host name: String, authorities: String?) throws -> [ModelEvent] {
            var settings = endpoint.settings
            settings.baseURL = "https://\(name):\(endpoint.port)/v1"
            settings.authoritiesFile = authorities
            let host = try PollHost(settings)
            host.model?.start(request(), token: 1)
            #expect(host.run { host.hasEnded(1) })
            return host.events(of: 1)
        }
        #expect(text(of: try ask(host: "127.0.0.1", authorities: folder + "/cert.pem")) == "over tls")
        for events in [
            try ask(host: "127.0.0.1", authorities: nil), try ask(host: "localhost", authorities: folder + "/cert.pem"),
        ] {
            guard case .failed(.unavailable(let detail)) = events.last, events.count == 1 else {
                Issue.record("\(events)")
                continue
            }
            #expect(detail.contains("certificate"))
        }
    }
}
