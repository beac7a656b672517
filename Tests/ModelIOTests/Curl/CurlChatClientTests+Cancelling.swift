// CurlChatClientTests: ending calls, at any moment.
// Spec: docs/models.md

import ModelIO
import Testing
import TutorCore
import TutorProtocol

extension CurlChatClientTests {
    @Test func closesTheConnectionWhenCancelled() throws {
        let (endpoint, host) = try start("[{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}]")
        host.model?.start(request(), token: 1)
        #expect(host.run { !host.records.isEmpty })
        host.model?.cancel(token: 1)
        #expect(host.watched.isEmpty)
        // The host does nothing more: the close must not depend on a later call.
        #expect(
            try endpoint.waits(for: .seconds(10)) { $0.first?["closed_by_client"]?.bool == true })
        host.model?.cancel(token: 1)
        host.model?.cancel(token: 2)
        let count = host.records.count
        host.run(for: .milliseconds(100))
        #expect(host.records.count == count)
    }

    @Test func closesTheConnectionBeforeTheFirstByte() throws {
        let (endpoint, host) = try start("[{\"say\": \"late\", \"head_pause_ms\": 30000}]")
        host.model?.start(request(), token: 1)
        for _ in 0..<100 where try endpoint.requests().isEmpty { host.run(for: .milliseconds(50)) }
        #expect(try endpoint.requests().count == 1)
        host.model?.cancel(token: 1)
        #expect(
            try endpoint.waits(for: .seconds(10)) { $0.first?["closed_by_client"]?.bool == true })
        #expect(host.records.isEmpty)
    }

    @Test func letsTheHandlerCancelAndStart() throws {
        let (endpoint, host) = try start(
            "[{\"say\": \"first one two three\"}, {\"say\": \"second\"}]")
        host.onEvent = { [unowned host] token, _ in
            guard token == 1 else { return }
            host.model?.cancel(token: 1)
            host.model?.start(request(), token: 2)
        }
        host.model?.start(request(), token: 1)
        #expect(host.run { host.hasEnded(2) })
        #expect(host.records.filter { $0.token == 1 }.count == 1)
        #expect(text(of: host.events(of: 2)) == "second")
        #expect(try endpoint.requests().count == 2)
    }

    @Test func survivesCancelsAtAnyMoment() throws {
        let (endpoint, host) = try start("[{\"say\": \"one two three four five six\", \"pause_ms\": 1}]")
        var cancelled: [UInt64: Int] = [:]
        for token in 1...200 {
            let token = UInt64(token)
            host.model?.start(request(), token: token)
            host.run(for: .microseconds(Int64(token % 23) * 500))
            if token % 5 != 0 {
                host.model?.cancel(token: token)
                cancelled[token] = host.records.filter { $0.token == token }.count
            }
        }
        let kept = (1...200).map { UInt64($0) }.filter { $0 % 5 == 0 }
        #expect(host.run { kept.allSatisfy(host.hasEnded) })
        #expect(kept.allSatisfy { text(of: host.events(of: $0)) == "one two three four five six" })
        for (token, count) in cancelled {
            #expect(host.records.filter { $0.token == token }.count == count)
        }
        host.run(for: .milliseconds(50))
        #expect(host.watched.isEmpty)
        _ = endpoint
    }

    @Test func closesEverythingWhenShutDown() throws {
        let (endpoint, host) = try start("[{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}]")
        for token in 1...8 { host.model?.start(request(), token: UInt64(token)) }
        #expect(host.run { host.records.count == 8 })
        host.model?.shutDown()
        #expect(host.watched.isEmpty)
        #expect(
            try endpoint.waits(for: .seconds(10)) {
                $0.count == 8 && $0.allSatisfy { $0["closed_by_client"]?.bool == true }
            })
        host.model?.start(request(), token: 9)
        #expect(host.run { host.hasEnded(9) })
        #expect(host.events(of: 9) == [.failed(.unavailable(detail: "shut down"))])
    }
}
