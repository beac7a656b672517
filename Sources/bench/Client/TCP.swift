// TCP: the few socket calls of the measuring programs.
// Source: connect(2), send(2), fcntl(2)

internal import CLinux
internal import Glibc
internal import NetIO

/// The few socket calls of the measuring programs; IPv4 only.
enum TCP {
    /// Connects and blocks until that is done; the socket stays blocking.
    static func connect(_ address: ListenAddress) throws(StreamSocketError) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw .system("socket", code: errno) }
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = address.port.bigEndian
        inet_pton(AF_INET, address.host, &target.sin_addr)
        let result = withUnsafePointer(to: &target) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            let code = errno
            close(descriptor)
            throw .system("connect", code: code)
        }
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        return descriptor
    }

    /// Sends everything; waits where the kernel has no room.
    static func sendAll(_ bytes: [UInt8], to descriptor: Int32) throws(StreamSocketError) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else if errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&entry, 1, 1_000)
            } else if errno != EINTR {
                throw .system("send", code: errno)
            }
        }
    }

    /// Lets calls return at once from now on.
    static func setNonBlocking(_ descriptor: Int32) throws(StreamSocketError) {
        var on: Int32 = 1
        guard ioctl(descriptor, UInt(FIONBIO), &on) == 0 else { throw .system("ioctl", code: errno) }
    }
}
