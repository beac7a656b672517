// LocalSockets: which of this process's sockets have a given local port.

import Glibc

/// The sockets of this process with the given local IPv4 port: a listener and what it has accepted.
///
/// Tests that look for a leak count these, and not all descriptors: the other suites of the run open and close
/// theirs meanwhile.
func localSockets(port: UInt16) -> Int {
    (0..<Int32(getdtablesize())).count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
    }
}

/// Waits, for at most 20 s, until this process has so many sockets with the given local port.
func waitForLocalSockets(_ count: Int, port: UInt16) async throws -> Bool {
    for _ in 0..<2_000 where localSockets(port: port) != count {
        try await Task.sleep(for: .milliseconds(10))
    }
    return localSockets(port: port) == count
}
