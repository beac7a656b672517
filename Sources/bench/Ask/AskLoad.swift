// AskLoad: sessions that ask again and again, and what is seen of the answers.
// Spec: docs/protocol.md

internal import Glibc
internal import NetIO

/// Sessions that ask again and again, and what is seen of the answers.
///
/// Messages are told apart by their first bytes, since `type` stands first in all that the server writes.
struct AskLoad {
    /// Turns that ended.
    private(set) var turns = 0
    /// `answer.delta`s that came.
    private(set) var texts = 0
    /// From an ask to its first text.
    private(set) var firstText = StreamLatencies()

    private struct Student {
        let socket: StreamSocket
        /// When the question went out; nil when its first text has come.
        var asked: UInt64?
        var questions = 0
        var hasScreen = false
    }

    private let loop: StreamLoop
    private var students: [Student] = []
    private var schedule = DueHeap()
    private let spread: Double
    private var problem: String?
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)

    init(_ server: ListenAddress, clients: Int, spread: Double) throws {
        loop = try StreamLoop()
        self.spread = spread
        for index in 0..<clients {
            let socket = try StreamSocket(server, path: "/v1/ws", subprotocol: "chalkline.v1")
            try loop.add(socket.descriptor, tag: index)
            try socket.send(#"{"type":"hello","role":"student"}"#)
            try socket.send(AskFixture.snapshot)
            students.append(Student(socket: socket))
        }
    }

    /// Forgets what was counted; the turns go on.
    mutating func clear() {
        turns = 0
        texts = 0
        firstText.removeAll()
    }

    mutating func run(for seconds: Double) throws {
        var now = MonotonicClock.nanoseconds()
        let end = now + UInt64(seconds * 1e9)
        while now < end {
            for tag in loop.wait(until: min(end, schedule.first?.due ?? end), now: now) {
                let socket = students[tag].socket
                guard !socket.isOver else { throw StreamSocketError.refused("the server ended a session") }
                try socket.receive(into: buffer) { take($0, from: tag) }
            }
            now = MonotonicClock.nanoseconds()
            while let first = schedule.first, first.due <= now {
                schedule.removeFirst()
                try ask(first.tag)
            }
            if let problem { throw StreamSocketError.refused(problem) }
        }
    }

    private mutating func ask(_ tag: Int) throws {
        students[tag].questions += 1
        students[tag].asked = MonotonicClock.nanoseconds()
        try students[tag].socket.send(AskFixture.question(students[tag].questions))
    }

    private mutating func take(_ message: UnsafeRawBufferPointer, from tag: Int) {
        let now = MonotonicClock.nanoseconds()
        if message.begins(with: #"{"type":"answer.delta""#) {
            texts += 1
            guard let asked = students[tag].asked else { return }
            firstText.add(now - asked)
            students[tag].asked = nil
        } else if message.begins(with: #"{"type":"turn.end""#) {
            turns += 1
            schedule.insert(DueHeap.Entry(due: now, tag: tag))
        } else if message.begins(with: #"{"type":"screen.ack""#) {
            guard !students[tag].hasScreen else { return }
            students[tag].hasScreen = true
            let wait = spread > 0 ? UInt64(Double.random(in: 0..<spread) * 1e9) : 0
            schedule.insert(DueHeap.Entry(due: now + wait, tag: tag))
        } else if message.begins(with: #"{"type":"error""#) {
            problem = String(decoding: message, as: UTF8.self)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func begins(with text: StaticString) -> Bool {
        guard let baseAddress, count >= text.utf8CodeUnitCount else { return false }
        return memcmp(baseAddress, text.utf8Start, text.utf8CodeUnitCount) == 0
    }
}
