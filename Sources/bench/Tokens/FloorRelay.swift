// FloorRelay: the least that a relay of tokens can do on a shard.
// Spec: docs/performance-tokens.md

internal import CLinux
internal import Glibc
internal import NetIO
internal import WireCore

/// The least that a relay of tokens can do on a shard: one read, a cut at blank lines, one frame, one send.
///
/// It reads no chunk sizes and no JSON: each event's data goes into a frame as it is.
final class FloorRelay: ConnectionHandler {
    private let upstream: ListenAddress
    private var parser = HTTPRequestParser()
    private var source: FloorSource?

    init(upstream: ListenAddress) { self.upstream = upstream }

    func connection(
        _ connection: Connection, received bytes: UnsafeMutableRawBufferPointer, on shard: isolated Shard
    ) {
        guard source == nil else { return }
        do {
            guard let head = try parser.receive(Span(_unsafeBytes: UnsafeRawBufferPointer(bytes))).head else { return }
            let handshake = try WebSocketHandshake.accept(head)
            connection.write(on: shard) { handshake.appendResponse(to: &$0) }
            source = try FloorSource(upstream, to: connection, on: shard)
        } catch {
            print("floor: \(error)")
            connection.abort(on: shard)
        }
    }

    func connectionDrained(_ connection: Connection, on shard: isolated Shard) {}

    func connectionEnded(_ connection: Connection, _ end: ConnectionEnd, on shard: isolated Shard) {
        source?.stop(on: shard)
        source = nil
    }
}

/// A raw socket to the endpoint.
private final class FloorSource: DescriptorHandler {
    private let descriptor: Int32
    private unowned let connection: Connection
    private var token: DescriptorToken?
    private var buffer = [UInt8](repeating: 0, count: 16_384)
    /// Bytes in the buffer that belong to an event whose end has not come.
    private var kept = 0

    init(_ upstream: ListenAddress, to connection: Connection, on shard: isolated Shard) throws {
        self.connection = connection
        descriptor = try TCP.connect(upstream)
        let request = "POST /v1/chat/completions HTTP/1.1\r\nHost: \(upstream)\r\nContent-Length: 0\r\n\r\n"
        try TCP.sendAll(Array(request.utf8), to: descriptor)
        try TCP.setNonBlocking(descriptor)
        token = try shard.register(descriptor, for: .readable, handler: self)
    }

    deinit { close(descriptor) }

    func stop(on shard: isolated Shard) {
        if let token { shard.unregister(descriptor, token: token) }
        token = nil
    }

    func ready(_ readiness: Readiness, on shard: isolated Shard) {
        let count = buffer.withUnsafeMutableBytes {
            recv(descriptor, $0.baseAddress?.advanced(by: kept), $0.count - kept, 0)
        }
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) {
                stop(on: shard)
                connection.abort(on: shard)
            }
            return
        }
        let filled = kept + count
        let used = buffer.withUnsafeBytes { cut(UnsafeRawBufferPointer(rebasing: $0[..<filled]), on: shard) }
        kept = filled - used
        if kept == buffer.count { kept = 0 }
        if kept > 0, used > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                memmove(base, base + used, filled - used)
            }
        }
    }

    /// Sends the data of every event that is whole; returns the bytes that are done with.
    private func cut(_ bytes: UnsafeRawBufferPointer, on shard: isolated Shard) -> Int {
        guard let base = bytes.baseAddress else { return 0 }
        var (start, done) = (0, 0)
        var data: UnsafeRawBufferPointer?
        while let found = memchr(base + start, 0x0A, bytes.count - start) {
            let end = UnsafeRawPointer(found) - base
            if end == start {
                if let payload = data {
                    connection.write(on: shard) { FrameWriter.append(.text, payload: payload, to: &$0) }
                }
                data = nil
                done = end + 1
            } else if end - start > 6, memcmp(base + start, "data: ", 6) == 0 {
                data = UnsafeRawBufferPointer(rebasing: bytes[(start + 6)..<end])
            }
            start = end + 1
        }
        return done
    }
}
