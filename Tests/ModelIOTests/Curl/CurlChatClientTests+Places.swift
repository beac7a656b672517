// CurlChatClientTests: many calls at once.
// Spec: docs/models.md

import ModelIO
import Testing
import TutorCore
import TutorProtocol

extension CurlChatClientTests {
    @Test func runsSixtyFourStreamsAtOnce() throws {
        let (endpoint, host) = try start("[{\"say\": \"one two three four five six seven\", \"pause_ms\": 20}]")
        for token in 1...64 { host.model?.start(request(), token: UInt64(token)) }
        #expect(host.run { (1...64).allSatisfy { host.hasEnded(UInt64($0)) } })
        for token in 1...64 {
            #expect(text(of: host.events(of: UInt64(token))) == "one two three four five six seven")
        }
        // All of them ran at once: each had its own connection.
        #expect(Set(try endpoint.requests().compactMap { $0["connection"]?.int }).count == 64)
    }

    @Test func letsCallsWaitForAPlace() throws {
        let (endpoint, host) = try start("[{\"say\": \"one two\", \"pause_ms\": 50}]") {
            $0.limits.concurrentCalls = 2
            $0.limits.waitingCalls = 3
        }
        for token in 1...7 { host.model?.start(request(), token: UInt64(token)) }
        host.model?.cancel(token: 3)
        #expect(host.run { [1, 2, 4, 5, 6, 7].allSatisfy { host.hasEnded($0) } })
        for token: UInt64 in [1, 2, 4, 5] { #expect(host.events(of: token).last == .finished(.stop)) }
        // Two had a place and three waited when these came.
        for token: UInt64 in [6, 7] {
            #expect(host.events(of: token) == [.failed(.unavailable(detail: "too many calls wait"))])
        }
        let requests = try endpoint.requests()
        #expect(requests.count == 4)
        #expect(Set(requests.compactMap { $0["connection"]?.int }).count <= 3)
    }

    @Test func doesNotWaitForeverForAPlace() throws {
        let (endpoint, host) = try start("[{\"steps\": [{\"text\": \"a\"}], \"end\": \"hang\"}]") {
            $0.limits.concurrentCalls = 1
            $0.timeouts.queue = .milliseconds(200)
        }
        host.model?.start(request(), token: 1)
        #expect(host.run { !host.records.isEmpty })
        host.model?.start(request(), token: 2)
        #expect(host.run { host.hasEnded(2) })
        #expect(host.events(of: 2) == [.failed(.unavailable(detail: "no place became free"))])
        #expect(host.events(of: 1) == [.text("a")])
        _ = endpoint
    }

    @Test func keepsAConnectionForTheNextCall() throws {
        let (endpoint, host) = try start("[{\"say\": \"a\"}]")
        for token in 1...3 {
            host.model?.start(request(), token: UInt64(token))
            #expect(host.run { host.hasEnded(UInt64(token)) })
            // The end of the body comes after the last event.
            #expect(try endpoint.waits(for: .seconds(10)) { $0.last?["answered"]?.bool == true })
            host.run(for: .milliseconds(100))
        }
        #expect(Set(try endpoint.requests().compactMap { $0["connection"]?.int }).count == 1)
    }
}
