// CurlChatClientTests: what goes wrong on the way.
// Spec: docs/models.md

import Glibc
import ModelIO
import Testing
import TutorCore
import TutorProtocol

extension CurlChatClientTests {
    @Test func reportsAClosedPort() throws {
        let (endpoint, host) = try start("[]")
        var settings = endpoint.settings
        // Port 1 of another loopback address: nobody listens there.
        settings.baseURL = "http://127.0.0.253:1/v1"
        let other = try PollHost(settings)
        other.model?.start(request(), token: 1)
        #expect(other.run { other.hasEnded(1) })
        #expect(other.events(of: 1) == [.failed(.unavailable(detail: "couldn't connect to server"))])
        _ = host
    }

    @Test func reportsAConnectionThatIsNotAccepted() throws {
        // A listener with a full queue: the kernel drops further requests for a connection.
        let full = try FullListener()
        var settings = ModelSettings()
        settings.choice = .openai
        settings.baseURL = "http://127.0.0.1:\(full.port)/v1"
        settings.timeouts.connect = .milliseconds(300)
        let host = try PollHost(settings)
        host.model?.start(request(), token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(host.events(of: 1) == [.failed(.timeout)])
        // Below the 5 s that are the default.
        #expect(host.now < .seconds(4.5))
    }

    @Test(
        arguments: [
            (401, ModelError.refused(status: 401)), (403, .refused(status: 403)), (404, .refused(status: 404)),
            (302, .refused(status: 302)), (500, .unavailable(detail: "status 500: busy")),
            (529, .unavailable(detail: "status 529: busy")), (429, .rateLimited(retryMilliseconds: nil)),
        ] as [(Int, ModelError)])
    func reportsAStatus(status: Int, error: ModelError) throws {
        let (events, _, requests) = try play(
            """
            [{"status": \(status), "headers": {"Location": "/v1/chat/completions"},
              "body": {"error": {"message": "busy"}}}]
            """)
        #expect(events == [.failed(error)])
        // Neither repeated nor redirected.
        #expect(requests.count == 1)
    }

    @Test(arguments: [("2", 2_000), ("3600", 20_000), ("Fri, 31 Dec 2100 23:59:59 GMT", 20_000)])
    func readsTheRequestedPause(header: String, milliseconds: Int) throws {
        let (events, _, _) = try play(
            "[{\"status\": 429, \"headers\": {\"Retry-After\": \"\(header)\"}, \"body\": \"\"}]")
        #expect(events == [.failed(.rateLimited(retryMilliseconds: milliseconds))])
    }

    @Test func asksOnceMoreWithoutTheFieldThatIsRefused() throws {
        let (endpoint, host) = try start(
            """
            [{"match": "stream_options", "status": 400,
              "body": {"error": {"message": "unknown field: stream_options"}}}, {"say": "fine", "usage": null}]
            """)
        host.model?.start(request(), token: 1)
        #expect(host.run { host.hasEnded(1) })
        #expect(host.events(of: 1) == [.text("fine"), .finished(.stop)])
        host.model?.start(request(), token: 2)
        #expect(host.run { host.hasEnded(2) })
        let requests = try endpoint.requests()
        #expect(requests.map { $0["body"]?["stream_options"] != nil } == [true, false, false])
    }

    @Test func givesUpWhenTheFieldIsNotToBlame() throws {
        let (events, _, requests) = try play(
            "[{\"status\": 400, \"body\": {\"error\": {\"message\": \"no stream_options, no max_tokens\"}}}]")
        #expect(events == [.failed(.refused(status: 400))])
        #expect(requests.count == 2)
    }

    @Test(arguments: [
        (
            "reset", "{\"steps\": [{\"text\": \"a\"}], \"end\": \"reset\"}", true
        ),
        ("closed", "{\"steps\": [{\"text\": \"a\"}], \"end\": \"close\"}", true),
        (
            "shorter than announced",
            "{\"steps\": [{\"text\": \"a\"}], \"framing\": \"length\", \"declared_length\": 9999, \"end\": \"close\"}",
            true
        ),
        ("whole, but without an end", "{\"steps\": [{\"text\": \"a\"}]}", true),
        (
            "reset after the reason", "{\"steps\": [{\"text\": \"a\"}, {\"finish\": \"stop\"}], \"end\": \"reset\"}",
            false
        ),
    ])
    func keepsTheTextOfABrokenStream(name: String, answer: String, isFailure: Bool) throws {
        let (events, _, _) = try play("[\(answer)]")
        #expect(events.first == .text("a"))
        #expect(events.count == 2)
        switch events.last {
        case .failed(.unavailable): #expect(isFailure)
        case .finished(.stop): #expect(!isFailure)
        default: Issue.record("\(events)")
        }
    }

    @Test func refusesAHeadThatIsTooLong() throws {
        let (events, _, _) = try play(
            "[{\"headers\": {\"X-A\": \"\(String(repeating: "a", count: 5_000))\"}, \"say\": \"a\"}]"
        ) {
            $0.limits.headBytes = 4_096
        }
        #expect(events == [.failed(.invalid(detail: "response head too long"))])
    }
}

/// A listener that never accepts and whose queue is full.
private final class FullListener {
    private(set) var port = 0
    private var sockets: [Int32] = []

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        sockets.append(listener)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(listener, $0, size)
                _ = listen(listener, 0)
                _ = getsockname(listener, $0, &size)
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        for _ in 0..<4 {
            let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
            sockets.append(filler)
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = connect(filler, $0, size) }
            }
        }
    }

    deinit { for socket in sockets { close(socket) } }
}
