// TokenEndpoint: many event streams on one thread, each token sent when it is due.
// Spec: docs/performance-tokens.md

internal import CLinux
internal import Glibc
internal import NetIO

/// Many event streams on one thread, each token sent when it is due.
///
/// Streams begin at random places within their period, so that tokens do not come in bursts.
final class TokenEndpoint {
    let port: UInt16
    private let listener: Int32
    private let loop: StreamLoop
    private let limit: Int
    /// Tokens a second of streams that begin now.
    private var rate = 40
    /// How many streams begin together; those that are there before wait, so that opening many is not measured.
    private var gate = 1
    private var held: [Int] = []
    /// Streams by number; a number is never used again, unlike a descriptor.
    private var streams: [Int: Stream] = [:]
    private var lastTag = 0
    /// Streams by when their next token is due, the nearest first.
    private var schedule = DueHeap()
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    private struct Stream {
        var descriptor: Int32
        var head: [UInt8] = []
        var isStarted = false
        var period: UInt64 = 0
        /// What the kernel did not take; while there is some, tokens that are due are left out.
        var unsent: [UInt8] = []
    }

    init(_ address: ListenAddress, limit: Int) throws {
        loop = try StreamLoop()
        self.limit = limit
        listener = chalkline_stream_socket(AF_INET)
        guard listener >= 0 else { throw StreamSocketError.system("socket", code: errno) }
        var on: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &place.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let result = withUnsafeMutablePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4_096) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard result else { throw StreamSocketError.system("bind", code: errno) }
        port = UInt16(bigEndian: place.sin_port)
        try loop.add(listener, tag: 0)
    }

    deinit { close(listener) }

    /// Serves for ever.
    func run() throws -> Never {
        while true {
            let now = MonotonicClock.nanoseconds()
            for tag in loop.wait(until: schedule.first?.due ?? now + 1_000_000_000, now: now) {
                if tag == 0 { try accept() } else { read(tag) }
            }
            while let first = schedule.first, first.due <= MonotonicClock.nanoseconds() {
                schedule.removeFirst()
                guard let stream = streams[first.tag] else { continue }
                sendToken(first.tag)
                schedule.insert(DueHeap.Entry(due: first.due + stream.period, tag: first.tag))
            }
        }
    }

    private func accept() throws {
        while true {
            let client = chalkline_accept(listener, nil, nil)
            guard client >= 0 else { return }
            guard streams.count < limit else {
                close(client)
                continue
            }
            var on: Int32 = 1
            setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            lastTag += 1
            streams[lastTag] = Stream(descriptor: client)
            try loop.add(client, tag: lastTag)
        }
    }

    private func read(_ tag: Int) {
        guard var stream = streams[tag] else { return }
        let count = recv(stream.descriptor, &buffer, buffer.count, 0)
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return end(tag) }
        guard !stream.isStarted else { return }
        stream.head += buffer[..<count]
        streams[tag] = stream
        // Every request fits into 64 KiB; one that does not is never answered.
        guard stream.head.count < 65_536, let request = TokenRequest(stream.head) else { return }
        if let rate = request.rate {
            self.rate = rate
            gate = request.gate
            held = []
            send(tag, Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            end(tag)
        } else {
            start(tag)
        }
    }

    private func start(_ tag: Int) {
        let period = 1_000_000_000 / UInt64(rate)
        streams[tag]?.isStarted = true
        streams[tag]?.head = []
        streams[tag]?.period = period
        send(
            tag, Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
        held.append(tag)
        guard held.count >= gate else { return }
        let now = MonotonicClock.nanoseconds()
        for tag in held { schedule.insert(DueHeap.Entry(due: now + UInt64.random(in: 0..<period), tag: tag)) }
        held = []
    }

    private func sendToken(_ tag: Int) {
        // A reader that does not keep up gets the rest of its token first.
        if let unsent = streams[tag]?.unsent, !unsent.isEmpty { return send(tag, []) }
        let event =
            #"data: {"id":"chatcmpl-8Zt2kQ","object":"chat.completion.chunk","created":1767225600,"model":"bench-1","#
            + #""choices":[{"index":0,"delta":{"content":"@\#(MonotonicClock.nanoseconds()) "},"finish_reason":null}]}"#
            + "\n\n"
        let bytes = event.utf8
        send(tag, Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
    }

    private func send(_ tag: Int, _ more: [UInt8]) {
        guard let stream = streams[tag] else { return }
        let bytes = stream.unsent + more
        let count = bytes.withUnsafeBytes {
            Glibc.send(stream.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count < bytes.count { streams[tag]?.unsent = Array(bytes[max(0, count)...]) } else { clear(tag) }
    }

    private func clear(_ tag: Int) {
        if streams[tag]?.unsent.isEmpty == false { streams[tag]?.unsent = [] }
    }

    private func end(_ tag: Int) {
        guard let stream = streams.removeValue(forKey: tag) else { return }
        close(stream.descriptor)
    }
}
