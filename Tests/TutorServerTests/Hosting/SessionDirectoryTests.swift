// SessionDirectoryTests: no session has two owners, and nobody waits for ever.

import NetIO
import Synchronization
import Testing

@testable import TutorServer

struct SessionDirectoryTests {
    private let directory = SessionDirectory()
    private let first: ShardPort
    private let second: ShardPort

    init() throws {
        first = ShardPort(try Shard(index: 0))
        second = ShardPort(try Shard(index: 1))
    }

    @Test func sessionIsFoundWhereItIs() {
        directory.add("s", at: first)
        #expect(claim(at: first) == "here")
        #expect(directory.port(of: "s") === first)
        #expect(claim(at: second) == "elsewhere 0")
    }

    @Test func claimedSessionIsNobodyElsesUntilItIsSettled() {
        #expect(claim(at: first) == "absent")
        let wakes = Atomic<Int>(0)
        for _ in 0..<SessionDirectory.waitingLimit {
            let answer = directory.claim("s", for: second) { wakes.add(1, ordering: .relaxed) }
            #expect(Self.name(answer) == "taken")
        }
        #expect(claim(at: first) == "crowded")
        #expect(directory.port(of: "s") == nil)
        directory.settle("s", at: first)
        #expect(wakes.load(ordering: .relaxed) == SessionDirectory.waitingLimit)
        #expect(claim(at: first) == "here")
    }

    @Test func claimThatFindsNothingLeavesNothing() {
        #expect(claim(at: first) == "absent")
        directory.settle("s", at: nil)
        #expect(claim(at: second) == "absent")
    }

    @Test func endOfASessionDoesNotEndAClaimOfIt() {
        directory.add("s", at: first)
        #expect(claim(at: second) == "elsewhere 0")
        directory.remove("s")
        #expect(claim(at: first) == "taken")
        directory.settle("s", at: nil)
        #expect(claim(at: first) == "absent")
    }

    @Test func settlingWithoutAClaimChangesNothing() {
        directory.add("s", at: first)
        directory.settle("s", at: nil)
        #expect(directory.port(of: "s") === first)
    }

    private func claim(at port: ShardPort) -> String {
        Self.name(directory.claim("s", for: port, wake: {}))
    }

    private static func name(_ answer: SessionDirectory.Answer) -> String {
        switch answer {
        case .absent: "absent"
        case .crowded: "crowded"
        case .elsewhere(let owner): "elsewhere \(owner.index)"
        case .here: "here"
        case .taken: "taken"
        }
    }
}
