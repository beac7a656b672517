// LocalSockets: which of this process's sockets have a given local port.

import Glibc

/// The sockets of this process with the given local IPv4 port: a listener and what it has accepted.
///
/// Tests that look for a leak count these, and not all descriptors: the other suites of the run open and close
/// theirs meanwhile.
func localSockets(port: UInt16) -> Int {
    // Not every number up to the limit, which may be a million.
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if let descriptor = Int32(name), isLocal(descriptor, port: port) { count += 1 }
    }
    return count
}

private func isLocal(_ descriptor: Int32, port: UInt16) -> Bool {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    return result == 0 && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
}

/// Waits, for at most 20 s, until this process has so many sockets with the given local port.
func waitForLocalSockets(_ count: Int, port: UInt16) async throws -> Bool {
    for _ in 0..<2_000 where localSockets(port: port) != count {
        try await Task.sleep(for: .milliseconds(10))
    }
    return localSockets(port: port) == count
}
