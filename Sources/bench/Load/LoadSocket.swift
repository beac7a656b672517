// LoadSocket: opens one WebSocket for the load generator.
// Source: ip(7), socket(7)

internal import CLinux
internal import Glibc
internal import NetIO

/// Opens WebSockets for the load generator.
enum LoadSocket {
    /// Connects and does the opening handshake; the socket is non-blocking afterwards.
    ///
    /// `index` chooses the source address: each of 127.0.0.2, 127.0.0.3, … has ports for 20 000 connections. The port
    /// is chosen at the connect and not at the bind, so that one serves several destinations. Closing sends a reset,
    /// since thousands of connections in TIME_WAIT would use the ports up.
    static func open(_ server: ListenAddress, index: Int) throws(LoadError) -> Int32 {
        let descriptor = chalkline_stream_socket(AF_INET)
        guard descriptor >= 0 else { throw .systemCall("socket", code: errno) }
        do throws(LoadError) {
            try connect(descriptor, to: server, from: UInt32(2 + index / 20_000))
            try shakeHands(descriptor, server)
            setBlocking(descriptor, false)
            return descriptor
        } catch {
            close(descriptor)
            throw error
        }
    }

    private static func connect(_ descriptor: Int32, to server: ListenAddress, from host: UInt32) throws(LoadError) {
        setBlocking(descriptor, true)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, Int32(1))
        set(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, Int32(1))
        set(descriptor, SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
        set(descriptor, SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: LoadClient.stallSeconds, tv_usec: 0))
        var source = sockaddr_in()
        source.sin_family = sa_family_t(AF_INET)
        source.sin_addr.s_addr = (UInt32(127) << 24 | host).bigEndian
        var target = sockaddr_in()
        target.sin_family = sa_family_t(AF_INET)
        target.sin_port = server.port.bigEndian
        guard inet_pton(AF_INET, server.host, &target.sin_addr) == 1 else {
            throw .systemCall("inet_pton", code: EINVAL)
        }
        if server.isLoopback {
            guard withAddress(source, { bind(descriptor, $0, $1) }) == 0 else { throw .systemCall("bind", code: errno) }
        }
        guard withAddress(target, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
            throw .systemCall("connect", code: errno)
        }
    }

    private static func shakeHands(_ descriptor: Int32, _ server: ListenAddress) throws(LoadError) {
        let request = [UInt8](
            """
            GET / HTTP/1.1\r
            Host: \(server)\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            Sec-WebSocket-Version: 13\r
            \r

            """.utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else {
            throw .systemCall("send", code: errno)
        }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 2_048)
        while !answer.ends("\r\n\r\n") {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw count == 0 ? .closed : .systemCall("recv", code: errno) }
            answer += buffer[..<count]
            guard answer.count <= 16_384 else { throw .handshake("its answer is too long") }
        }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.1 101"), text.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") else {
            throw .handshake(String(text.prefix { $0 != "\r\n" }))
        }
    }

    private static func set<Value: BitwiseCopyable>(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Value)
    {
        var value = value
        setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Value>.size))
    }

    private static func setBlocking(_ descriptor: Int32, _ isBlocking: Bool) {
        let flags = fcntl(descriptor, F_GETFL, 0)
        _ = fcntl(descriptor, F_SETFL, isBlocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK)
    }

    private static func withAddress<Result>(
        _ address: sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

extension [UInt8] {
    fileprivate func ends(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
