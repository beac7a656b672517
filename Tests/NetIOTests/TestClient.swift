// TestClient: a blocking TCP client for the tests of the network layer.

import Glibc
import NetIO

/// A blocking TCP client with time-outs, so that a test that waits in vain fails instead of hanging.
final class TestClient {
    let descriptor: Int32

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var size = receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw NetError.systemCall("connect", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }
            sent += count
        }
    }

    /// Bytes until so many have come, the stream ends or the time-out passes.
    func receive(_ count: Int) -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while all.count < count {
            let got = recv(descriptor, &buffer, min(buffer.count, count - all.count), 0)
            if got <= 0 { break }
            all += buffer[..<got]
        }
        return all
    }

    /// What one more `recv` gives: 0 at the end of the stream, -1 with `errno` on an error.
    func receiveResult() -> (count: Int, code: Int32) {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, 0)
        return (count, errno)
    }

    func shutdownWrite() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset instead of an orderly end.
    func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        shutdown(descriptor, Int32(SHUT_RD))
    }
}
