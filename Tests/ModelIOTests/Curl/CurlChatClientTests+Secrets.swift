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
        let secure = try SecureEndpoint("[{\"say\": \"over tls\"}]")
        func ask(host name: String, authorities: String?) throws -> [ModelEvent] {
            var settings = secure.settings
            settings.baseURL = "https://\(name):\(secure.endpoint.port)/v1"
            settings.authoritiesFile = authorities
            let host = try PollHost(settings)
            host.model?.start(request(), token: 1)
            #expect(host.run { host.hasEnded(1) })
            return host.events(of: 1)
        }
        #expect(text(of: try ask(host: "127.0.0.1", authorities: secure.certificate)) == "over tls")
        for events in [
            try ask(host: "127.0.0.1", authorities: nil), try ask(host: "localhost", authorities: secure.certificate),
        ] {
            guard case .failed(.unavailable(let detail)) = events.last, events.count == 1 else {
                Issue.record("\(events)")
                continue
            }
            #expect(detail.contains("certificate"))
        }
    }
}
