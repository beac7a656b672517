// StreamSocket: one WebSocket of a measuring client.
// Source: RFC 6455 §4.1, §5.2

internal import CLinux
internal import Glibc
internal import NetIO

/// One WebSocket of a measuring client: only what a load needs, so that little of a core goes into measuring.
///
/// Trusts its server: it checks neither the accept key nor the frames. Not thread-safe.
final class StreamSocket {
    let descriptor: Int32
    /// The start of a frame whose rest has not come.
    private var rest: [UInt8] = []
    private(set) var isOver = false

    /// Connects and upgrades; blocks until the server has answered.
    ///
    /// - Throws: ``StreamSocketError``.
    init(_ address: ListenAddress, path: String, subprotocol: String?) throws(StreamSocketError) {
        descriptor = try TCP.connect(address)
        let offer = subprotocol.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        let head =
            "GET \(path) HTTP/1.1\r\nHost: \(address)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\(offer)\r\n"
        try TCP.sendAll(Array(head.utf8), to: descriptor)
        var answer: [UInt8] = []
        var byte: UInt8 = 0
        // Byte by byte, so that nothing of the first frame is taken; this is not what is measured.
        while answer.count < Self.headLimit, !answer.ends(withBytes: "\r\n\r\n") {
            guard recv(descriptor, &byte, 1, 0) == 1 else { throw .refused("no answer") }
            answer.append(byte)
        }
        guard answer.starts(with: Array("HTTP/1.1 101".utf8)) else {
            throw .refused(String(decoding: answer.prefix { $0 != 0x0D }, as: UTF8.self))
        }
        try TCP.setNonBlocking(descriptor)
    }

    deinit { close(descriptor) }

    /// Sends one masked text message.
    func send(_ text: String) throws(StreamSocketError) { try send(0x81, Array(text.utf8)) }

    private func send(_ first: UInt8, _ payload: [UInt8]) throws(StreamSocketError) {
        // A key of zeros leaves the payload as it is, which the standard allows a client to draw.
        var frame = [first]
        if payload.count <= 125 {
            frame.append(0x80 | UInt8(payload.count))
        } else if payload.count <= 65_535 {
            frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        } else {
            frame.append(0x80 | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        frame += [0, 0, 0, 0] + payload
        try TCP.sendAll(frame, to: descriptor)
    }

    /// Reads once and hands out every message that is whole.
    func receive(
        into buffer: UnsafeMutableRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void
    ) throws(StreamSocketError) {
        let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            isOver = true
            return
        }
        var pongs: [[UInt8]] = []
        if rest.isEmpty {
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let used = split(bytes, take, &pongs)
            if used < count { rest = Array(bytes[used...]) }
        } else {
            rest += UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let used = rest.withUnsafeBytes { split($0, take, &pongs) }
            rest.removeFirst(used)
        }
        for payload in pongs { try send(0x8A, payload) }
    }

    private func split(
        _ bytes: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) -> Void, _ pongs: inout [[UInt8]]
    ) -> Int {
        var start = 0
        while bytes.count - start >= 2 {
            var header = 2
            var length = Int(bytes[start + 1] & 0x7F)
            if length >= 126 {
                header = length == 126 ? 4 : 10
                guard bytes.count - start >= header else { break }
                length = 0
                for index in 2..<header { length = length << 8 | Int(bytes[start + index]) }
            }
            guard bytes.count - start - header >= length else { break }
            let payload = UnsafeRawBufferPointer(rebasing: bytes[(start + header)..<(start + header + length)])
            switch bytes[start] & 0x0F {
            case 0x8: isOver = true
            case 0x9: pongs.append(Array(payload))
            case 0xA: break
            default: take(payload)
            }
            start += header + length
        }
        return start
    }

    /// Longest head of an answer.
    private static let headLimit = 16_384
}

/// Why a measuring client cannot go on.
enum StreamSocketError: Error, CustomStringConvertible {
    /// The server refused the WebSocket.
    case refused(String)
    /// A call of the system failed.
    case system(String, code: Int32)

    var description: String {
        switch self {
        case .refused(let line): "refused: \(line)"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        }
    }
}

extension [UInt8] {
    /// Whether the last bytes are these.
    fileprivate func ends(withBytes text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && suffix(text.utf8CodeUnitCount).elementsEqual(text.asBytes)
    }
}

extension StaticString {
    fileprivate var asBytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}
